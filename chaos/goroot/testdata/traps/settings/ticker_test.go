package settings

import (
	"sync"
	"testing"
	"time"
)

// ran is written and read without points, and without the race detector.
var ran bool

//go:norace
func setRan(to bool) { ran = to }

//go:norace
func hasRun() bool { return ran }

// Package time looks at a setting between the moment from which a timer counts and its start. No other
// goroutine can run there.
func TestNoPoint(t *testing.T) {
	setRan(false)
	go setRan(true)
	before := hasRun()
	time.NewTimer(time.Hour)
	if hasRun() != before {
		t.Error("another goroutine has run while a timer was made")
	}
}

// A ticker that were due when it is started would never fire again.
func TestTicker(t *testing.T) {
	var mu sync.Mutex
	ticks := 0
	go func() {
		tick := time.NewTicker(50 * time.Microsecond)
		for range tick.C {
			mu.Lock()
			ticks++
			mu.Unlock()
		}
	}()
	over := false
	for end := time.Now().Add(time.Millisecond); !over; {
		mu.Lock()
		over = time.Now().After(end)
		mu.Unlock()
	}
	time.Sleep(10 * time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	if ticks < 100 {
		t.Errorf("%d ticks in 10 ms, want one every 50 us", ticks)
	}
}
