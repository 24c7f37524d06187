package spinners

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Work may look at its own limit in each of its rounds. A limit of seconds is not hit over rounds that take no
// more than microseconds on any machine, whether a timer is pending or not: that of a channel which no goroutine
// waits for is not.

const (
	limit  = 5 * time.Second
	rounds = 20_000
)

func TestPollsItsTimer(t *testing.T) {
	over, never := time.After(limit), make(chan int)
	for i := range rounds {
		select {
		case <-never:
		case <-over:
			t.Fatalf("over after %d", i)
		default:
		}
	}
}

func TestPollsItsTicker(t *testing.T) {
	ticker := time.NewTicker(limit)
	defer ticker.Stop()
	for i := range rounds {
		select {
		case <-ticker.C:
			t.Fatalf("over after %d", i)
		default:
		}
	}
}

func TestTriesUntilALimit(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	over := time.Now().Add(limit)
	for i := range rounds {
		if mu.TryLock() || time.Now().After(over) {
			t.Fatalf("over after %d", i)
		}
	}
}

func TestYieldsBesideAWatchdog(t *testing.T) {
	defer time.AfterFunc(limit, func() { panic("over") }).Stop()
	for range rounds {
		runtime.Gosched()
	}
}

func TestOnlyLooks(t *testing.T) {
	start := time.Now()
	for range 500_000 {
		_ = time.Now()
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Error(took)
	}
}

// How far it has come may be in a global variable, or behind a large array.
var position int

func TestPollsBesideGlobalWork(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*limit)
	defer cancel()
	for position = 0; position < rounds; position++ {
		if ctx.Err() != nil {
			t.Fatalf("over after %d", position)
		}
	}
}

func TestYieldsBesideGlobalWork(t *testing.T) {
	var over atomic.Bool
	defer time.AfterFunc(limit, func() { over.Store(true) }).Stop()
	for position = 0; position < rounds; position++ {
		if runtime.Gosched(); over.Load() {
			t.Fatalf("over after %d", position)
		}
	}
}

func TestPollsBesideALargeArray(t *testing.T) {
	array := new([1 << 16]byte)
	over, never := time.After(limit), make(chan int)
	for i := 0; array[len(array)-1] < 40; i++ {
		array[len(array)-1-i%512]++
		select {
		case <-never:
		case <-over:
			t.Fatalf("over after %d", i)
		default:
		}
	}
}

func TestPollsForLong(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	for i := range 300_000 {
		if ctx.Err() != nil {
			t.Fatalf("over after %d", i)
		}
	}
}

// waits polls until goroutines are done that look, in each of 3,000 rounds, whether they are to stop. Neither they nor
// the test change anything that the other looks at, and both may go on for long.
func waits(t *testing.T, goroutines int32, isOver func() bool, round func()) {
	t.Helper()
	var stop atomic.Bool
	var left atomic.Int32
	left.Store(goroutines)
	for range goroutines {
		go func() {
			for range 3_000 {
				if stop.Load() {
					return
				}
				round()
			}
			left.Add(-1)
		}()
	}
	for left.Load() > 0 {
		if isOver() {
			t.Fatal("over")
		}
	}
}

func afterLimit() func() bool {
	over := time.Now().Add(limit)
	return func() bool { return time.Now().After(over) }
}

func TestWaitsUntilALimit(t *testing.T) { waits(t, 1, afterLimit(), func() {}) }

func TestWaitsForTwo(t *testing.T) { waits(t, 2, afterLimit(), func() {}) }

func TestWaitsForThoseThatLook(t *testing.T) { waits(t, 2, afterLimit(), func() { _ = time.Now() }) }

func TestWaitsForThoseThatYield(t *testing.T) { waits(t, 3, afterLimit(), runtime.Gosched) }

func TestWaitsUntilAContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	waits(t, 1, func() bool { return ctx.Err() != nil }, func() {})
}

func TestWaitsUntilATimer(t *testing.T) {
	over := time.After(limit)
	waits(t, 3, func() bool {
		select {
		case <-over:
			return true
		default:
			return false
		}
	}, func() {})
}

// It counts how often it has looked, and so comes to a new state each time.
func TestCountsLooks(t *testing.T) {
	over, n := time.Now().Add(limit), 0
	waits(t, 1, func() bool { n++; return n > 0 && time.Now().After(over) }, func() {})
}

// A wait for the time itself ends.
func TestBusyWaits(t *testing.T) {
	for range 5 {
		for start := time.Now(); time.Since(start) < 10*time.Millisecond; {
		}
	}
	for start := time.Now(); time.Since(start) < time.Minute; {
	}
}
