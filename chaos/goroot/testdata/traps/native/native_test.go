// Package native is for stress test --native: goroutines run in parallel, and are delayed at their
// points.
package native

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The windows are a few nanoseconds wide.
func TestFoundCheckThenAct(t *testing.T) {
	var busy atomic.Bool
	var inside, both atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if !busy.Load() {
				busy.Store(true)
				if inside.Add(1) > 1 {
					both.Add(1)
				}
				inside.Add(-1)
				busy.Store(false)
			}
		})
	}
	wg.Wait()
	if both.Load() > 0 {
		t.Error("two inside")
	}
}

func TestFoundSelect(t *testing.T) {
	c, quit := make(chan int, 1), make(chan bool, 1)
	go func() { quit <- true; c <- 1 }()
	select {
	case <-quit:
		select {
		case <-c:
		default:
			t.Error("the value is not there yet")
		}
	case <-c:
	}
}

// Each goroutine has delays of its own.
func TestDelays(t *testing.T) {
	const points = 500
	var x atomic.Int32
	var slow [2][points]bool
	var wg sync.WaitGroup
	for g := range slow {
		wg.Go(func() {
			for i := range points {
				start := time.Now()
				x.Load()
				slow[g][i] = time.Since(start) > 5*time.Microsecond
			}
		})
	}
	wg.Wait()
	both, one := 0, 0
	for i := range points {
		switch {
		case slow[0][i] && slow[1][i]:
			both++
		case slow[0][i] || slow[1][i]:
			one++
		}
	}
	if both > 5 && 2*both > one {
		t.Errorf("both are slow at %d points, and one at %d", both, one)
	}
}

// Time is real, and passes.
func TestTime(t *testing.T) {
	start := time.Now()
	time.Sleep(2 * time.Millisecond)
	if d := time.Since(start); d < 2*time.Millisecond || d > time.Minute {
		t.Error(d)
	}
}

// A delay is no time in a bubble.
func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		for range 300 {
			mu.Lock()
			mu.Unlock()
		}
		time.Sleep(time.Second)
		if d := time.Since(start); d != time.Second {
			t.Error(d)
		}
	})
}
