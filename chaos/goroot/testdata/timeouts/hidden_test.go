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
func late(t *testing.T, f func()) { after(t, 500*time.Millisecond, f) }

func after(t *testing.T, d time.Duration, f func()) {
	done := make(chan bool)
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(d):
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

// A pool leads to what it holds by no pointer of a package-level variable, and a deferred call is in no frame.

type pooled struct {
	n    int
	more [100]int
}

var pool = sync.Pool{New: func() any { return new(pooled) }}

//go:noinline
func hitPooled() bool {
	p := pool.Get().(*pooled)
	defer pool.Put(p)
	p.n++
	return p.n%(2*hits) == 0
}

func hitsInPool() {
	for !hitPooled() {
		mu.Lock()
		mu.Unlock()
	}
}

func hitsInPoolAndYields() {
	for !hitPooled() {
		runtime.Gosched()
	}
}

func hitsInPoolAndLoads() {
	for !hitPooled() && !unset.Load() {
	}
}

func TestHitsInPool(t *testing.T)          { late(t, hitsInPool) }
func TestHitsInPoolAndYields(t *testing.T) { late(t, hitsInPoolAndYields) }
func TestHitsInPoolAndLoads(t *testing.T)  { late(t, hitsInPoolAndLoads) }

func TestDeferredCalls(t *testing.T) {
	late(t, func() {
		f := func() {
			mu.Lock()
			mu.Unlock()
		}
		for range 2 * hits {
			defer f()
		}
	})
}

// Some milliseconds of work, in more steps than time passes for as on a machine.

func TestVeryManyLoads(t *testing.T) {
	after(t, 300*time.Millisecond, func() {
		for range 1_500_000 {
			unset.Load()
		}
	})
}

func TestVeryManyLocks(t *testing.T) {
	after(t, 300*time.Millisecond, func() {
		for range 800_000 {
			mu.Lock()
			mu.Unlock()
		}
	})
}

// Loops that count their rounds until they are stopped, and so are not seen to wait. Their rounds take as long as work does: what
// fails after some time counts. After half a second of such time, nothing is known.

func countsBeside(wait func(), round func()) {
	var stop atomic.Bool
	done := make(chan int)
	go func() {
		n := 0
		for ; !stop.Load(); n++ {
			round()
		}
		done <- n
	}()
	wait()
	stop.Store(true)
	<-done
}

func TestFoundAfterCounts(t *testing.T) {
	countsBeside(func() { time.Sleep(100 * time.Millisecond) }, runtime.Gosched)
	t.Error("always")
}

func TestUncontrolledAfterASecondOfCounts(t *testing.T) {
	countsBeside(func() { time.Sleep(time.Second) }, func() {})
	t.Error("always")
}

func TestFoundAfterCountsOfPolls(t *testing.T) {
	c := make(chan bool)
	countsBeside(func() { time.Sleep(100 * time.Millisecond) }, func() {
		select {
		case <-c:
		default:
		}
	})
	t.Error("always")
}

func TestUncontrolledAfterCounts(t *testing.T) {
	countsBeside(func() { time.Sleep(time.Hour) }, runtime.Gosched)
	t.Error("always")
}
