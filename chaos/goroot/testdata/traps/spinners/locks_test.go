package spinners

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Locks that spin. A goroutine that waits for one does not use up the time of the goroutine that has it.

type spinLock struct{ held atomic.Bool }

func (l *spinLock) Lock() {
	for !l.held.CompareAndSwap(false, true) {
	}
}

func (l *spinLock) Unlock() { l.held.Store(false) }

type yieldLock struct{ spinLock }

func (l *yieldLock) Lock() {
	for !l.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

type backoffLock struct{ spinLock }

func (l *backoffLock) Lock() {
	for n := 1; !l.held.CompareAndSwap(false, true); n = min(2*n, 16) {
		for range n {
			runtime.Gosched()
		}
	}
}

type ticketLock struct{ next, serves atomic.Uint32 }

func (l *ticketLock) Lock() {
	for mine := l.next.Add(1) - 1; l.serves.Load() != mine; {
		runtime.Gosched()
	}
}

func (l *ticketLock) Unlock() { l.serves.Add(1) }

func count(t *testing.T, l sync.Locker, goroutines, rounds int) {
	t.Helper()
	n := 0
	within(t, 2*time.Second, func() {
		var all sync.WaitGroup
		for range goroutines {
			all.Go(func() {
				for range rounds {
					l.Lock()
					n++
					l.Unlock()
				}
			})
		}
		all.Wait()
		if n != goroutines*rounds {
			t.Error(n)
		}
	})
}

func TestSpinLock(t *testing.T)    { count(t, new(spinLock), 3, 50) }
func TestYieldLock(t *testing.T)   { count(t, new(yieldLock), 2, 100) }
func TestBackoffLock(t *testing.T) { count(t, new(backoffLock), 8, 50) }
func TestTicketLock(t *testing.T)  { count(t, new(ticketLock), 3, 50) }

// The time of a goroutine that compares it later does not pass either.
func TestSpinBarrier(t *testing.T) {
	start := time.Now()
	var ready atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for ready.Add(1); ready.Load() < 4; {
			}
		})
	}
	all.Wait()
	if took := time.Since(start); took > time.Second {
		t.Error(took)
	}
}

func TestHandshake(t *testing.T) {
	start := time.Now()
	var asked, answered atomic.Bool
	go func() {
		for !asked.Load() {
		}
		answered.Store(true)
	}()
	for asked.Store(true); !answered.Load(); {
		runtime.Gosched()
	}
	if took := time.Since(start); took > time.Second {
		t.Error(took)
	}
}

func TestRing(t *testing.T) {
	var head, tail atomic.Uint64
	var ring [8]int
	deadline := time.Now().Add(2 * time.Second)
	go func() {
		for i := range 500 {
			for head.Load()-tail.Load() == 8 {
				runtime.Gosched()
			}
			ring[head.Load()%8] = i
			head.Add(1)
		}
	}()
	for i := range 500 {
		for head.Load() == tail.Load() {
			if time.Now().After(deadline) {
				t.Fatalf("late at %d", i)
			}
			runtime.Gosched()
		}
		if got := ring[tail.Load()%8]; got != i {
			t.Fatalf("got %d, want %d", got, i)
		}
		tail.Add(1)
	}
}
