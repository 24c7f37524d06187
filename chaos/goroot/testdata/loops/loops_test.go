// Package loops has loops that only lock and unlock for long: those of the tests named TestFound... go
// on for ever, and the others end.
package loops

import (
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
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

var polls, sum int // that come back to what they were

// A preemption leaves something on the stack, which is new; the loop's states are not.
func TestFoundPreempted(*testing.T) {
	s, done := new(state), make(chan bool)
	go func() {
		for !s.isDone() {
			if polls = (polls + 1) % 8; polls == 0 {
				sum = 0
				for i := range 100_000 {
					sum += i
				}
			}
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

// A loop that sleeps comes back to its states, too, and other sleeps cannot end it.
func TestFoundSleeps(*testing.T) {
	s := new(state)
	go func() {
		for !s.isDone() {
			time.Sleep(3 * time.Millisecond)
		}
	}()
	for !s.isDone() {
		time.Sleep(time.Millisecond)
	}
}

func TestSleepsUntilASleep(*testing.T) {
	s := new(state)
	go func() {
		time.Sleep(rounds * time.Millisecond)
		s.finish()
	}()
	for !s.isDone() {
		time.Sleep(time.Millisecond)
	}
}

func TestSleepsUntilATicker(*testing.T) {
	s := new(state)
	ticks := time.NewTicker(rounds * time.Millisecond)
	defer ticks.Stop()
	go func() {
		for range 2 {
			<-ticks.C
		}
		s.finish()
	}()
	for !s.isDone() {
		time.Sleep(2 * time.Millisecond)
	}
}

func TestSleepsUntilAPolledTimer(*testing.T) {
	s := new(state)
	for late := time.NewTimer(rounds * time.Millisecond); !s.isDone(); time.Sleep(time.Millisecond) {
		select {
		case <-late.C:
			s.finish()
		default:
		}
	}
}

func TestSleepsInABubble(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		s := new(state)
		time.AfterFunc(rounds*time.Millisecond, s.finish)
		for !s.isDone() {
			time.Sleep(time.Millisecond)
		}
	})
}

func TestSleepsAndCounts(*testing.T) {
	s := new(state)
	for i := 0; i < rounds && !s.isDone(); i++ {
		time.Sleep(time.Millisecond)
	}
}

func TestUntilAPolledTimer(*testing.T) {
	s := new(state)
	for late := time.NewTimer(time.Minute); !s.isDone(); {
		select {
		case <-late.C:
			s.finish()
		default:
		}
	}
}
