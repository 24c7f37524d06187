//go:build chaos

package explore

import (
	"strings"
	stdatomic "sync/atomic" // not the drop-in: what the judge reads is no part of a schedule
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// settled returns a search in which each of several flags is read by one task and set by another. It fails if any is
// read before it is set: by default all are.
func settled(t *testing.T, flags int) *Search {
	t.Helper()
	var early stdatomic.Int32
	s, err := New(Options{
		Engine: control.Options{Strategy: strategy.Random()},
		Seed:   func(n int) uint64 { return strategy.ChildKey(1, n) },
		Body: func(strategy.Execution) func() {
			return func() {
				early.Store(0)
				var done sync.WaitGroup
				done.Add(2 * flags)
				for range flags {
					var set atomic.Bool
					go hooks.Task(func() {
						defer done.Done()
						if !set.Load() {
							early.Add(1)
						}
					})()
					go hooks.Task(func() {
						defer done.Done()
						set.Store(true)
					})()
				}
				done.Wait()
			}
		},
		Judge: func(r control.Result) control.Result {
			if r.Verdict == verdict.Pass && early.Load() > 0 {
				r.Verdict, r.Effect, r.Summary = verdict.WrongResult, verdict.WrongResult, "a flag is read too early"
			}
			return r
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestOneFlipIsNotEnough: where two pairs of operations come in the wrong order, no flip alone makes the execution pass:
// the lines show the first pair and say so. Where one pair does, they do not.
func TestOneFlipIsNotEnough(t *testing.T) {
	for flags, enough := range map[int]bool{1: true, 2: false} {
		s := settled(t, flags)
		passing := strategy.Schedule{}
		for n := 0; passing.Len() == 0; n++ {
			if n == 1000 {
				t.Fatal("no execution passes")
			}
			x := s.Execution(n)
			if r, _ := s.Engine.Run(x.Seed, s.Body(x)); s.Judge(r).Verdict == verdict.Pass {
				passing = r.Schedule.Clone()
			}
		}
		x := strategy.Execution{Number: 1}
		other := s.Trace(x, passing)
		failing := s.Trace(x, strategy.Schedule{})
		if failing.Verdict != verdict.WrongResult || other.Verdict != verdict.Pass {
			t.Fatalf("%d flags: %s, and the other one %s", flags, failing.Verdict, other.Verdict)
		}
		failing.Against(other.Events)
		text := strings.Join(failing.Why().Lines(), "\n")
		if !strings.Contains(text, "fails         if main/0's atomic/load") || strings.Contains(text, "one flip is not enough") == enough {
			t.Errorf("%d flags:\n%s", flags, text)
		}
		s.Close()
	}
}
