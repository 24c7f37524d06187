//go:build chaos

package control

import (
	"strings"
	"testing"
	stdtime "time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// An execution that runs for ever is a livelock if it only repeats what changes nothing,
// and a timeout else; and its summary names the tasks that were still running, not those that wait.
func TestExecutionsThatAreCut(t *testing.T) {
	for name, c := range map[string]struct {
		want verdict.Verdict
		loop func()
	}{
		"a lock": {verdict.Livelock, func() {
			var mu sync.Mutex
			for over := false; !over; {
				mu.Lock()
				//lint:ignore SA2001 that is all that it does
				mu.Unlock()
			}
		}},
		"a lock that is tried": {verdict.Livelock, func() {
			var mu sync.RWMutex
			for {
				if mu.TryRLock() {
					mu.RUnlock()
				}
				hooks.Gosched()
			}
		}},
		"sleeps": {verdict.Livelock, func() {
			var flag atomic.Bool
			for !flag.Load() {
				time.Sleep(time.Millisecond)
			}
		}},
		"a timer that is armed again": {verdict.Livelock, func() {
			for timer := time.AfterFunc(time.Hour, func() {}); ; timer.Reset(time.Hour) {
			}
		}},
		"a counter": {verdict.Timeout, func() {
			for n := new(atomic.Int64); ; n.Add(1) {
			}
		}},
		"stores under a lock": {verdict.Timeout, func() {
			var mu sync.Mutex
			var x atomic.Bool
			for {
				mu.Lock()
				x.Store(true)
				mu.Unlock()
			}
		}},
	} {
		e := start(t, Options{MaxSteps: 5000})
		r, _ := e.Run(1, func() {
			var never sync.WaitGroup
			never.Add(1)
			e.Go(c.loop)
			never.Wait()
		})
		if r.Verdict != c.want || r.Steps != 5000 || !strings.HasPrefix(r.Summary, "not done after 5000 steps") ||
			!strings.Contains(r.Summary, "still running: main/0 ") || !strings.Contains(r.Summary, "; 1 other made no step in the last ") || !strings.Contains(r.Summary, "cut_chaos_test.go") {
			t.Errorf("%s: %s after %d steps: %s", name, r.Verdict, r.Steps, r.Summary)
		}
		e.Close()
	}
}

// The wall clock ends an execution, and says so; what was done until then is what the seed
// leads to.
func TestWallClockCuts(t *testing.T) {
	body := func() {
		for n := new(atomic.Int64); ; n.Add(1) {
		}
	}
	e := start(t, Options{MaxSteps: 1 << 40, Within: stdtime.Millisecond})
	r, _ := e.Run(1, body)
	if r.Verdict != verdict.Timeout || !strings.HasPrefix(r.Summary, "cut by the wall clock after ") || r.Steps%core.WallSteps != core.WallSteps-1 {
		t.Errorf("%s after %d steps: %s", r.Verdict, r.Steps, r.Summary)
	}
	e.Close()
	again := start(t, Options{MaxSteps: r.Steps})
	if b, _ := again.Repeat(r.Schedule.Clone(), body); b.Hash != r.Hash || b.Steps != r.Steps {
		t.Errorf("%d steps with the hash %016x, and repeated %d with %016x", r.Steps, r.Hash, b.Steps, b.Hash)
	}
}

// A judge would wait for a lock that the cut task holds, and nothing unlocks.
func TestCutInsideALockIsNotJudged(t *testing.T) {
	for _, inside := range []bool{true, false} {
		e := start(t, Options{MaxSteps: 1000})
		endJudging := false
		r, _ := e.Run(1, func() {
			e.OnStuck(func(Result) (verdict.Verdict, string) {
				endJudging = true
				return "", ""
			})
			var mu sync.Mutex
			var x atomic.Int64
			mu.Lock()
			if !inside {
				mu.Unlock()
			}
			for {
				x.Load()
			}
		})
		e.Close()
		if r.Verdict != verdict.Livelock || endJudging == inside {
			t.Errorf("inside a lock %v: %s, endJudging: %v", inside, r.Verdict, endJudging)
		}
	}
}
