//go:build chaos

package control_test

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// reorder is SCTBench's reorder_n: n - 1 tasks set a and then b, one looks whether
// they are in step. The bug needs the one that looks to come between the two writes
// of the first that sets.
func reorder(e *control.Engine, n int) func() {
	return func() {
		var a, b atomic.Int64
		for range n - 1 {
			e.Go(func() {
				a.Store(1)
				b.Store(-1)
			})
		}
		e.Go(func() {
			x := a.Load()
			y := b.Load()
			if !(x == 0 && y == 0 || x == 1 && y == -1) {
				e.Fail(verdict.WrongResult, "out of step")
			}
		})
	}
}

// theQueue is the queue of Cilk's THE protocol without its lock on the way out: the
// owner and a thief can both take the last item.
func theQueue(e *control.Engine) func() {
	return func() {
		var head, tail atomic.Int64
		var taken [4]atomic.Int64
		take := func(i int64) {
			if taken[i].Add(1) == 2 {
				e.Fail(verdict.DuplicateTask, "taken twice")
			}
		}
		e.Go(func() { // the thief
			for range 2 {
				h := head.Load()
				if h < tail.Load() {
					take(h)
					head.Store(h + 1)
				}
			}
		})
		for range 4 {
			tail.Add(1)
		}
		for range 4 {
			t := tail.Load() - 1
			tail.Store(t)
			if t < head.Load() {
				tail.Store(t + 1)
				break
			}
			take(t)
		}
	}
}

// begin returns an engine.
func begin(t *testing.T, o control.Options) *control.Engine {
	t.Helper()
	e, err := control.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// toFind returns the median number of executions that the strategy takes, over the
// seeds.
func toFind(t *testing.T, by func() strategy.Strategy, subject func(e *control.Engine) func(), seeds, most int) int {
	t.Helper()
	var found []int
	for seed := range seeds {
		e := begin(t, control.Options{Strategy: by()})
		body := subject(e)
		n, failure := 0, control.Result{}
		for ; n < most; n++ {
			if r, _ := e.Run(strategy.ChildKey(strategy.ChildKey(uint64(seed), 0), n), body); r.Verdict != verdict.Pass {
				failure = r
				failure.Schedule = r.Schedule.Clone()
				break
			}
		}
		found = append(found, n+1)
		e.Close()
		if seed == 0 && n < most {
			reproduce.Result(t, control.Options{}, failure, subject)
		}
	}
	slices.Sort(found)
	return found[len(found)/2]
}

// What is published for these shapes, and shuttle's figures, as a bound.
func TestPublishedShapes(t *testing.T) {
	seeds := 20
	if racing.Detector {
		seeds = 3
	}
	for _, c := range []struct {
		name    string
		by      func() strategy.Strategy
		subject func(e *control.Engine) func()
		most    int
	}{
		{"THE queue, SURW", strategy.SURW, theQueue, 10},
		{"reorder_20, URW", strategy.URW, func(e *control.Engine) func() { return reorder(e, 20) }, 100},
		{"reorder_100, SURW", strategy.SURW, func(e *control.Engine) func() { return reorder(e, 100) }, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := toFind(t, c.by, c.subject, seeds, 5*c.most)
			t.Logf("median %d executions", n)
			if n > c.most && !racing.Detector {
				t.Errorf("median %d executions of %d seeds, want %d at most", n, seeds, c.most)
			}
		})
	}
}
