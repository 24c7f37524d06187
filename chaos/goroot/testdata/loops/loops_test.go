// Package loops has loops that only lock and unlock for long: those of the tests named TestFound... go
// on for ever, and the others end.
package loops

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

const rounds = 30_000

type state struct {
	mu   sync.Mutex
	done bool
	left int
}

func (s *state) isDone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

func (s *state) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
}

func (s *state) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left--
	return s.left > 0
}

func TestFoundLoop(*testing.T) {
	for s := new(state); !s.isDone(); {
	}
}

func TestFoundTwo(*testing.T) {
	s := new(state)
	go func() {
		for !s.isDone() {
			runtime.Gosched()
		}
	}()
	for !s.isDone() {
	}
}

func TestFoundBesideWaiter(*testing.T) {
	s, done := new(state), make(chan bool)
	go func() {
		for !s.isDone() {
		}
		close(done)
	}()
	<-done
}

func TestCounts(*testing.T) {
	s := new(state)
	for i := 0; i < rounds && !s.isDone(); i++ {
	}
}

func TestWorks(*testing.T) {
	for s := (&state{left: rounds}); s.take(); {
	}
}

func TestWaitsForWork(*testing.T) {
	s, work := new(state), &state{left: rounds}
	go func() {
		for work.take() {
		}
		s.finish()
	}()
	for !s.isDone() {
	}
}

func TestUntilADeadline(*testing.T) {
	s := new(state)
	for deadline := time.Now().Add(200 * time.Millisecond); !s.isDone() && time.Now().Before(deadline); {
	}
}

func TestUntilATimer(*testing.T) {
	s := new(state)
	time.AfterFunc(200*time.Millisecond, s.finish)
	for !s.isDone() {
	}
}
