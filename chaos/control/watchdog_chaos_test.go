//go:build chaos

package control

import (
	"strings"
	stdsync "sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/hooks/atomic"
)

// listen makes the watchdog speak to the test instead of ending the process.
func listen(e *Engine) <-chan string {
	heard := make(chan string, 100)
	e.in.watchdog.end()
	w := &watchdog{engine: e.in, patience: 20 * time.Millisecond, stop: make(chan struct{}), stopped: make(chan struct{}),
		bark: func(message string) { heard <- message }}
	e.in.watchdog = w
	go w.run()
	return heard
}

// A task that blocks where the engine sees nothing is named, with its stack.
func TestWatchdogNamesWhoBlocksOutside(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how, Patience: time.Hour})
		heard := listen(e)
		var mu stdsync.Mutex
		mu.Lock()
		var message string
		go func() {
			message = <-heard
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
	heard := listen(e)
	var message string
	e.Run(1, func() {
		for message == "" {
			select {
			case message = <-heard:
			default:
			}
		}
	})
	if !strings.Contains(message, "without passing a hook") || !strings.Contains(message, "TestWatchdogNamesWhoPassesNoHook") {
		t.Errorf("the watchdog said %q", message)
	}
}

// An engine that has nothing to do, or much, is left alone.
func TestWatchdogIsSilent(t *testing.T) {
	e := start(t, Options{Patience: time.Hour})
	heard := listen(e)
	time.Sleep(100 * time.Millisecond)
	for n, begin := 0, time.Now(); time.Since(begin) < 200*time.Millisecond; n++ {
		e.Run(uint64(n), everything)
	}
	time.Sleep(100 * time.Millisecond)
	select {
	case message := <-heard:
		if strings.Contains(message, "without passing a hook") {
			t.Skip("the machine is too busy to tell")
		}
		t.Errorf("the watchdog said %q", message)
	default:
	}
}
