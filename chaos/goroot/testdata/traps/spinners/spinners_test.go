// Package spinners polls under a lock and yields, as tests do that wait for a goroutine to begin to
// wait: the goroutine must have its turn, and time must pass.
package spinners

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
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

// eventually attempts what fails until enable has been called, an hour later. Attempts change nothing, so
// time passes meanwhile.
func eventually(attempt func() bool, enable func()) { later(time.Hour, attempt, enable) }

func later(after time.Duration, attempt func() bool, enable func()) {
	time.AfterFunc(after, enable)
	for !attempt() {
	}
}

func TestCompareAndSwap(*testing.T) {
	var x atomic.Int32
	eventually(func() bool { return x.CompareAndSwap(1, 2) }, func() { x.Store(1) })
}

func TestTryLock(*testing.T) {
	var mu sync.Mutex
	mu.Lock()
	eventually(mu.TryLock, mu.Unlock)
}

func TestTryRLock(*testing.T) {
	var mu sync.RWMutex
	mu.Lock()
	eventually(mu.TryRLock, mu.Unlock)
}

func TestTryWLock(*testing.T) {
	var mu sync.RWMutex
	mu.RLock()
	eventually(mu.TryLock, mu.RUnlock)
}

func TestMapAttempts(*testing.T) {
	for _, attempt := range []func(*sync.Map) bool{
		func(m *sync.Map) bool { _, loaded := m.LoadOrStore(1, 2); return !loaded },
		func(m *sync.Map) bool { _, loaded := m.LoadAndDelete(2); return loaded },
		func(m *sync.Map) bool { return m.CompareAndSwap(3, 1, 2) },
		func(m *sync.Map) bool { return m.CompareAndDelete(3, 1) },
	} {
		var m sync.Map
		m.Store(1, 1)
		m.Store(3, 3)
		later(time.Millisecond, func() bool { return attempt(&m) }, func() {
			m.Delete(1)
			m.Store(2, 1)
			m.Store(3, 1)
		})
	}
}

func TestAttemptsToSend(*testing.T) {
	c := make(chan bool)
	eventually(func() bool {
		select {
		case c <- true:
			return true
		default:
			return false
		}
	}, func() { <-c })
}

func TestAttemptsToReceive(*testing.T) {
	c := make(chan bool)
	eventually(func() bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}, func() { c <- true })
}

func TestAttemptsAtTwo(*testing.T) {
	c, d := make(chan bool), make(chan bool)
	eventually(func() bool {
		select {
		case <-c:
			return true
		case d <- true:
			return true
		default:
			return false
		}
	}, func() { c <- true })
}

// Loops that look at the other goroutines have no other point.
func TestCountsGoroutines(*testing.T) {
	before := runtime.NumGoroutine()
	var s state
	go s.wait()
	for runtime.NumGoroutine() > before {
	}
}

func TestDumpsGoroutines(*testing.T) {
	c := make(chan bool)
	go func() { <-c }()
	dump := make([]byte, 1<<16)
	for !strings.Contains(string(dump[:runtime.Stack(dump, true)]), "[chan receive]:\nexample.com/traps/spinners.TestDumps") {
	}
	close(c)
}
