package timeouts

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Work in package-level variables, of 80,000 steps, which any machine does in some milliseconds.

const hits = 40_000

var (
	mu      sync.Mutex
	counter int
	unset   atomic.Bool
)

//go:noinline
func hit() bool { counter++; return counter%hits == 0 }

//go:noinline
func hitUnderLock() bool {
	mu.Lock()
	defer mu.Unlock()
	return hit()
}

func hitsUnderLock() {
	for !hitUnderLock() {
	}
}

func hitsAndLoads() {
	for !hit() && !unset.Load() {
	}
	for !hit() && !unset.Load() {
	}
}

func hitsAndYields() {
	for !hit() {
		runtime.Gosched()
	}
	for !hit() {
		runtime.Gosched()
	}
}

func hitsOfTwo() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range hits / 2 {
				hitUnderLock()
			}
		})
	}
	wg.Wait()
}

// late is a time-out of half a second for f, in a select.
func late(t *testing.T, f func()) {
	done := make(chan bool)
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(500 * time.Millisecond):
		t.Error("late")
	}
}

func TestHitsUnderLock(t *testing.T) { late(t, hitsUnderLock) }
func TestHitsAndLoads(t *testing.T)  { late(t, hitsAndLoads) }
func TestHitsAndYields(t *testing.T) { late(t, hitsAndYields) }
func TestHitsOfTwo(t *testing.T)     { late(t, hitsOfTwo) }

func TestHitsBesideSleep(t *testing.T) {
	done := false
	go func() {
		time.Sleep(500 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		if !done {
			t.Error("late")
		}
	}()
	hitsUnderLock()
	mu.Lock()
	defer mu.Unlock()
	done = true
}

func TestManyLoads(t *testing.T) {
	late(t, func() {
		for range 600_000 {
			unset.Load()
		}
	})
}

// Loops that wait for a time, and those that count until a timer fires, are over when it is.

func TestFoundAfterATime(t *testing.T) {
	for start := time.Now(); time.Since(start) < 2*time.Second; {
		runtime.Gosched()
	}
	t.Error("two seconds have passed")
}

func TestFoundAfterCounting(t *testing.T) {
	var done atomic.Bool
	time.AfterFunc(20*time.Millisecond, func() { done.Store(true) })
	n := 0
	for ; !done.Load(); n++ {
	}
	t.Error("the timer has fired")
}

func TestFoundAfterALoop(t *testing.T) {
	var done atomic.Bool
	time.AfterFunc(time.Hour, func() { done.Store(true) })
	for !done.Load() {
		runtime.Gosched()
	}
	t.Error("the timer has fired")
}
