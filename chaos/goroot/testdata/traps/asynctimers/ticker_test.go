//go:debug asynctimerchan=1

// Package asynctimers has timers as modules before Go 1.23 have them: their channels do not know of them.
package asynctimers

import (
	"sync"
	"testing"
	"time"
)

// Time passes between the moment from which a ticker counts and its start. A ticker that is due by then
// goes on.
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
