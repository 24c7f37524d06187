// Package polls waits by looking again and again, in all the ways that tests do.
package polls

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type state struct {
	mu   sync.Mutex
	done bool
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

// later finishes after a while.
func later(after time.Duration) *state {
	s := new(state)
	go func() { time.Sleep(after); s.finish() }()
	return s
}

func TestYielding(t *testing.T) {
	for s := later(time.Millisecond); !s.isDone(); {
		runtime.Gosched()
	}
}

func TestNotYielding(t *testing.T) {
	for s := later(time.Millisecond); !s.isDone(); {
	}
}

func TestUntilADeadline(t *testing.T) {
	s := later(time.Millisecond)
	for deadline := time.Now().Add(time.Second); !s.isDone(); {
		if time.Now().After(deadline) {
			t.Fatal("too late")
		}
	}
}

func TestUntilAContext(t *testing.T) {
	s := later(time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	for !s.isDone() {
		select {
		case <-ctx.Done():
			t.Fatal("too late")
		default:
		}
	}
}

func TestUntilATimer(t *testing.T) {
	s := later(time.Millisecond)
	var late atomic.Bool
	timer := time.AfterFunc(time.Second, func() { late.Store(true) })
	defer timer.Stop()
	for !s.isDone() {
		if late.Load() {
			t.Fatal("too late")
		}
	}
}

func TestSleeping(t *testing.T) {
	s := later(0)
	for i := 0; !s.isDone(); i++ {
		if i > 100 {
			t.Fatal("too late")
		}
		time.Sleep(time.Millisecond)
	}
}

// Work under a lock is no polling: no time-out is hit meanwhile.
func TestWorking(t *testing.T) {
	var mu sync.Mutex
	var workers sync.WaitGroup
	n := 0
	for range 4 {
		workers.Go(func() {
			for range 2_000 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	done := make(chan bool)
	go func() { workers.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("too slow")
	}
}
