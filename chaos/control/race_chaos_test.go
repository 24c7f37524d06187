//go:build chaos && race

package control

import (
	"os"
	"os/exec"
	"runtime/metrics"
	"strings"
	"testing"
	stdtime "time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// planted names the program that a child process runs.
const planted = "ROUSE_TEST_PLANTED"

// Programs that have a race, each with its cure.
var racy = map[string]func(cured bool){
	"unlocked": func(cured bool) {
		var mu sync.Mutex
		x := 0
		for range 2 {
			tasks(func() {
				if cured {
					mu.Lock()
					defer mu.Unlock()
				}
				x++
			})
		}
	},
	"published too early": func(cured bool) {
		var ready atomic.Bool
		x := 0
		tasks(func() {
			if cured {
				x = 1
			}
			ready.Store(true)
			if !cured {
				x = 1
			}
		})
		if ready.Load() {
			use(&x)
		}
	},
	"read after Done": func(cured bool) {
		var wg sync.WaitGroup
		x := 0
		wg.Add(1)
		tasks(func() {
			if cured {
				x = 1
			}
			wg.Done()
			if !cured {
				x = 1
			}
		})
		wg.Wait()
		use(&x)
	},
	"woken, but not by the writer": func(cured bool) {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		x, ready := 0, false
		tasks(func() {
			if !cured {
				mu.Lock()
				ready = true
				mu.Unlock()
				c.Signal()
			}
			x = 1
			if cured {
				mu.Lock()
				ready = true
				mu.Unlock()
				c.Signal()
			}
		})
		mu.Lock()
		for !ready {
			c.Wait()
		}
		mu.Unlock()
		use(&x)
	},
	"without any edge but the engine's own": func(cured bool) {
		x := 0
		var y atomic.Int64
		tasks(func() { x = 1; y.Load() })
		for range 3 {
			hooks.Gosched() // lets the other one go first
		}
		if !cured {
			use(&x)
		}
	},
}

// use reads and writes.
func use(x *int) { *x++ }

// The detector sees every race that is there, in executions in which the two
// accesses do not even come close, and no other.
func TestRaces(t *testing.T) {
	if name := os.Getenv(planted); name != "" {
		name, cured := strings.CutPrefix(name, "cured ")
		e := start(t, Options{})
		for n := range 20 {
			if r, _ := e.Run(uint64(n), func() { racy[name](cured) }); r.Verdict != verdict.Pass {
				t.Fatalf("%s: %s", r.Verdict, r.Summary)
			}
		}
		return
	}
	for name := range racy {
		for _, prefix := range []string{"", "cured "} {
			cmd := exec.Command(os.Args[0], "-test.run=^TestRaces$")
			cmd.Env = append(os.Environ(), planted+"="+prefix+name)
			out, _ := cmd.CombinedOutput()
			if raced := strings.Contains(string(out), "DATA RACE"); raced != (prefix == "") {
				t.Errorf("%s%s: race reported: %v\n%s", prefix, name, raced, out)
			}
		}
	}
}

// Catches: a race between the engine's count of goroutines and what a GODEBUG setting does when it
// first takes effect, in a task or in the engine.
func TestSettingsAreNoRace(t *testing.T) {
	if os.Getenv(planted) != "" {
		e := start(t, Options{})
		r, _ := e.Run(1, func() {
			tasks(func() { stdtime.NewTimer(stdtime.Hour).Stop() }, func() {
				defer func() { recover() }()
				panic(nil)
			})
		})
		if r.Verdict != verdict.Pass {
			t.Fatalf("%s: %s", r.Verdict, r.Summary)
		}
		return
	}
	settings := "panicnil=1"
	for _, m := range metrics.All() { // a setting that this Go has removed ends the process
		if m.Name == "/godebug/non-default-behavior/asynctimerchan:events" {
			settings += ",asynctimerchan=1"
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSettingsAreNoRace$")
	cmd.Env = append(os.Environ(), planted+"=settings", "GODEBUG="+settings)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
