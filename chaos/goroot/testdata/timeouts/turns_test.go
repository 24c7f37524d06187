package timeouts

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Goroutines that take turns, each of which waits in a loop for its own, as the test does for the last.

func passes(t *testing.T, goroutines, turns int64, limit time.Duration) {
	t.Helper()
	var turn atomic.Int64
	for id := range goroutines {
		go func() {
			for i := id; i < turns; i += goroutines {
				for turn.Load() != i {
					runtime.Gosched()
				}
				turn.Add(1)
			}
		}()
	}
	if !untilSince(func() bool { return turn.Load() >= turns }, limit) {
		t.Fatalf("late after %d", turn.Load())
	}
}

func TestPasses10(t *testing.T)   { passes(t, 2, 10, 50*time.Millisecond) }
func TestPasses100(t *testing.T)  { passes(t, 2, 100, 50*time.Millisecond) }
func TestPasses300(t *testing.T)  { passes(t, 3, 300, 200*time.Millisecond) }
func TestPasses3000(t *testing.T) { passes(t, 4, 3_000, 2*time.Second) }
func TestPassesHour(t *testing.T) { passes(t, 2, 10_000, time.Hour) }
func TestPassesAgain(t *testing.T) {
	for range 20 {
		passes(t, 2, 50, 50*time.Millisecond)
	}
}

// Main and one other take turns.
func TestPassesToMain(t *testing.T) {
	var turn atomic.Int64
	go func() {
		for i := int64(0); i < 20; i += 2 {
			for turn.Load() != i {
				runtime.Gosched()
			}
			turn.Add(1)
		}
	}()
	start := time.Now()
	for i := int64(1); i < 20; i += 2 {
		for turn.Load() != i {
			if runtime.Gosched(); time.Since(start) > 50*time.Millisecond {
				t.Fatal("late")
			}
		}
		turn.Add(1)
	}
}

// What they wait for is a plain variable under a lock, so that no step is seen to change anything.
func ring(t *testing.T, goroutines, turns int, limit time.Duration) {
	t.Helper()
	var mu sync.Mutex
	turn := 0
	for id := range goroutines {
		go func() {
			for n := 0; n < turns; {
				mu.Lock()
				if turn%goroutines == id {
					turn++
					n++
				}
				mu.Unlock()
				runtime.Gosched()
			}
		}()
	}
	passed := func() int { mu.Lock(); defer mu.Unlock(); return turn }
	if !untilSince(func() bool { return passed() >= goroutines*turns }, limit) {
		t.Fatalf("late after %d", passed())
	}
}

func TestRing2x10(t *testing.T)   { ring(t, 2, 10, 50*time.Millisecond) }
func TestRing4x25(t *testing.T)   { ring(t, 4, 25, 500*time.Millisecond) }
func TestRing4x250(t *testing.T)  { ring(t, 4, 250, 5*time.Second) }
func TestRing8x100(t *testing.T)  { ring(t, 8, 100, 5*time.Second) }
func TestRing2x2500(t *testing.T) { ring(t, 2, 2_500, time.Hour) }

// Ten try to get one lock.
func TestTriesForOne(t *testing.T) {
	var mu sync.Mutex
	n := 0
	for range 10 {
		go func() {
			for range 50 {
				for !mu.TryLock() {
					runtime.Gosched()
				}
				n++
				mu.Unlock()
			}
		}()
	}
	all := func() bool {
		if !mu.TryLock() {
			return false
		}
		defer mu.Unlock()
		return n == 500
	}
	if !untilSince(all, 50*time.Millisecond) {
		t.Fatal("late")
	}
}

// A ticket lock: the one whose number it is.
func TestTickets(t *testing.T) {
	var next, serving, done atomic.Int64
	for range 4 {
		go func() {
			for range 25 {
				for my := next.Add(1) - 1; serving.Load() != my; {
					runtime.Gosched()
				}
				serving.Add(1)
			}
			done.Add(1)
		}()
	}
	if !untilSince(func() bool { return done.Load() == 4 }, 50*time.Millisecond) {
		t.Fatal("late")
	}
}

func TestTriesToSend(t *testing.T) {
	var done atomic.Bool
	c := make(chan int, 1)
	go func() {
		for range 200 {
			for sent := false; !sent; {
				select {
				case c <- 1:
					sent = true
				default:
					runtime.Gosched()
				}
			}
		}
	}()
	go func() {
		for n := 0; n < 200; {
			select {
			case <-c:
				n++
			default:
				runtime.Gosched()
			}
		}
		done.Store(true)
	}()
	if !untilSince(done.Load, 50*time.Millisecond) {
		t.Fatal("late")
	}
}
