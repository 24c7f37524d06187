//go:build chaos

package control

import (
	"strings"
	stdsync "sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/hooks/atomic"
)

// listen makes the watchdog report to the test instead of ending the process. It is patient for longer than a
// busy machine keeps a task waiting.
func listen(e *Engine) <-chan string {
	reported := make(chan string, 100)
	e.in.Watchdog.End()
	e.in.Watchdog = core.NewWatchdog(e.in, 200*time.Millisecond, func(message string) { reported <- message })
	go e.in.Watchdog.Run()
	return reported
}

// A task that blocks where the engine sees nothing is named, with its stack.
func TestWatchdogNamesWhoBlocksOutside(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how, Patience: time.Hour})
		reported := listen(e)
		var mu stdsync.Mutex
		mu.Lock()
		var message string
		go func() {
			message = <-reported
			mu.Unlock()
		}()
		e.Run(1, func() {
			tasks(func() { blockOutside(&mu) })
			var x atomic.Int64
			for range 10 {
				x.Add(1)
			}
		})
		if !strings.Contains(message, "blocked outside the engine") || !strings.Contains(message, "sync.Mutex.Lock") ||
			!strings.Contains(message, "control.blockOutside") {
			t.Errorf("the watchdog said %q", message)
		}
	})
}

//go:noinline
func blockOutside(mu *stdsync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
}

func TestWatchdogNamesWhoPassesNoHook(t *testing.T) {
	e := start(t, Options{Patience: time.Hour})
	reported := listen(e)
	var message string
	e.Run(1, func() {
		for message == "" {
			select {
			case message = <-reported:
			default:
			}
		}
	})
	if !strings.Contains(message, "without passing a hook") || !strings.Contains(message, "TestWatchdogNamesWhoPassesNoHook") {
		t.Errorf("the watchdog said %q", message)
	}
}

// An engine that has nothing to do is left alone, for however long, and one that gets on
// between two looks.
func TestWatchdogIsSilent(t *testing.T) {
	e := start(t, Options{Patience: -1})
	w := core.NewWatchdog(e.in, time.Second, func(message string) { t.Errorf("the watchdog said %q", message) })
	now := time.Now()
	look := func() {
		now = now.Add(time.Hour)
		w.Look(now)
	}
	for range 10 {
		look()
	}
	e.Run(1, func() {
		var x atomic.Int64
		for range 10 {
			x.Add(1)
			look()
		}
	})
	for range 10 {
		look()
	}
}

// A task that computes has more patience, but not all.
func TestWatchdogWaitsForWhatComputes(t *testing.T) {
	e := start(t, Options{Patience: -1})
	reported := ""
	w := core.NewWatchdog(e.in, time.Second, func(message string) { reported = message })
	e.Run(1, func() {
		now := time.Now()
		for i := range core.BusyPatience {
			if w.Look(now.Add(time.Duration(i) * time.Second)); reported != "" {
				t.Errorf("after %d s the watchdog said %q", i, reported)
			}
		}
		w.Look(now.Add(core.BusyPatience * time.Second))
	})
	if !strings.Contains(reported, "for 6s without passing a hook") {
		t.Errorf("the watchdog said %q", reported)
	}
}
