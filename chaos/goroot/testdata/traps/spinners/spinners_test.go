// Package spinners polls under a lock and yields, as tests do that wait for a goroutine to begin to
// wait: the goroutine must have its turn, and time must pass.
package spinners

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

type state struct {
	mu     sync.Mutex
	waiter bool
}

func (s *state) waits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiter
}

func (s *state) wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiter = true
}

func TestYields(*testing.T) {
	var s state
	go s.wait()
	for !s.waits() {
		runtime.Gosched()
	}
}

func TestDoesNotYield(*testing.T) {
	var s state
	go s.wait()
	for !s.waits() {
	}
}

func TestChannel(*testing.T) {
	full := make(chan bool, 1)
	go func() { full <- true }()
	for len(full) == 0 {
		runtime.Gosched()
	}
}

func TestUntil(*testing.T) {
	var s state
	start := time.Now()
	for !s.waits() && time.Since(start) < 5*time.Millisecond {
	}
}

func TestUntilBesideTicker(*testing.T) {
	var s state
	stop := make(chan bool)
	go func() {
		ticker := time.NewTicker(50 * time.Microsecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
			case <-stop:
				return
			}
		}
	}()
	start := time.Now()
	for !s.waits() && time.Since(start) < 5*time.Millisecond {
	}
	close(stop)
}

func TestSleeper(*testing.T) {
	var s state
	go func() {
		time.Sleep(time.Hour)
		s.wait()
	}()
	for !s.waits() {
		runtime.Gosched()
	}
}

// A poll of a channel that gets nothing has done nothing.
func TestPollsToSend(*testing.T) {
	c := make(chan bool)
	go func() { <-c }()
	for {
		select {
		case c <- true:
			return
		default:
		}
	}
}

func TestPollsToReceive(*testing.T) {
	c := make(chan bool)
	go func() { c <- true }()
	for {
		select {
		case <-c:
			return
		default:
		}
	}
}

func TestPollsTwo(*testing.T) {
	c, d := make(chan bool), make(chan bool)
	go func() { c <- true }()
	for {
		select {
		case <-c:
			return
		case d <- true:
		default:
		}
	}
}
