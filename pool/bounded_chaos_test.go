//go:build chaos

package pool_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	hookscontext "github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// bounded is a pool with room for that many injected jobs.
func bounded(workers, room int) *pool.Pool {
	p, err := pool.New(workers, pool.WithMaxInjected(room), pool.WithSpares(1), pool.WithSleep(atOnce("", 1)...))
	if err != nil {
		panic(err)
	}
	return p
}

// over runs f in another pool.
func over(w *pool.Worker, other *pool.Pool, f func(w *pool.Worker)) {
	if err := w.Run(other, func(w *pool.Worker) error { f(w); return nil }); err != nil {
		panic(err)
	}
}

// runs starts so many jobs on w that each run f in another pool, and waits for them: on top
// of each other, if they are not stolen.
func runs(w *pool.Worker, n int, other *pool.Pool, f func(w *pool.Worker)) {
	w.Scope(func(s *pool.Scope) {
		for range n {
			s.Go(w, func(w *pool.Worker) { over(w, other, f) })
		}
	})
}

// Programs in which more runs than one wait for room, on one worker's stack.
var boundedPrograms = map[string]func(c *chaos.C, workers, room int){
	"into one pool": func(c *chaos.C, workers, room int) {
		p, q := bounded(workers, 1), bounded(1, room)
		defer closed(p)
		defer closed(q)
		ran := 0
		enter(p, func(w *pool.Worker) { runs(w, room+2, q, func(*pool.Worker) { ran++ }) })
		if ran != room+2 {
			c.Errorf("%d runs, want %d", ran, room+2)
		}
	},
	"into two pools, in turns": func(_ *chaos.C, workers, room int) {
		p, q, r := bounded(workers, 1), bounded(1, room), bounded(1, room)
		defer closed(p)
		defer closed(q)
		defer closed(r)
		nothing := func(*pool.Worker) {}
		enter(p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				for range room + 1 {
					s.Go(w, func(w *pool.Worker) { over(w, q, nothing) })
					s.Go(w, func(w *pool.Worker) { over(w, r, nothing) })
				}
			})
		})
	},
	"into each other": func(c *chaos.C, workers, room int) {
		p, q := bounded(workers, room), bounded(1, room)
		defer closed(p)
		defer closed(q)
		back := make([]error, 2)
		var there sync.WaitGroup
		there.Add(1)
		c.Go(func() {
			defer there.Done()
			back[1] = q.Run(context.Background(), func(w *pool.Worker) error {
				runs(w, 2, p, func(w *pool.Worker) { over(w, q, func(*pool.Worker) {}) })
				return nil
			})
		})
		back[0] = p.Run(context.Background(), func(w *pool.Worker) error {
			runs(w, 2, q, func(*pool.Worker) {})
			return nil
		})
		there.Wait()
		for _, err := range back {
			if err != nil {
				c.Errorf("%v", err)
			}
		}
	},
	"with outsiders that give up, and a close": func(c *chaos.C, workers, room int) {
		p, q := bounded(workers, 1), bounded(1, room)
		defer closed(p)
		defer closed(q)
		ctx, cancel := hookscontext.WithCancel(context.Background())
		c.Go(func() { _ = q.GoContext(ctx, func(*pool.Worker) {}) })
		c.Go(cancel)
		ended := 0
		enter(p, func(w *pool.Worker) {
			runs(w, room+1, q, func(*pool.Worker) { ended++ })
			given, giveUp := hookscontext.WithCancel(context.Background())
			giveUp()
			_ = w.Close(given, q)
		})
		if ended != room+1 {
			c.Errorf("%d runs, want %d", ended, room+1)
		}
	},
}

// Catches: room that is given to a wait which cannot use it, since it is buried under
// another; room that is lost; a job that is forgotten in the gate.
func TestBoundedPoolsUnderControl(t *testing.T) {
	executions := 1000
	if raceDetector() || testing.Short() {
		executions = 30
	}
	for name, program := range boundedPrograms {
		for _, size := range []struct{ workers, room int }{{1, 1}, {2, 1}, {2, 2}} {
			for _, by := range []func() strategy.Strategy{strategy.Random, strategy.PCTCycle, strategy.POS} {
				s := by()
				t.Run(fmt.Sprintf("%s/%d workers, room for %d/%s", name, size.workers, size.room, s.Name()), func(t *testing.T) {
					chaos.Explore(t, func(c *chaos.C) { program(c, size.workers, size.room) }, chaos.WithStrategy(s), chaos.WithExecutions(executions))
				})
			}
		}
	}
}

// boundedRuns is the first of them, for mutants.
func boundedRuns(words string) (kill.Program, error) {
	workers, room := 1, 1
	if err := kill.Words(words, map[string]*int{"workers": &workers, "room": &room}, nil); err != nil {
		return kill.Program{}, err
	}
	if workers < 1 || workers > 7 || room < 1 || room > 7 {
		return kill.Program{}, fmt.Errorf("%d workers, room for %d: want 1 to 7", workers, room)
	}
	left := 0
	return kill.Program{
		Body: func(*control.Engine) {
			p, q := bounded(workers, 1), bounded(1, room)
			left = room + 2
			enter(p, func(w *pool.Worker) { runs(w, room+2, q, func(*pool.Worker) { left-- }) })
			closed(q)
			closed(p)
		},
		After: func() (verdict.Verdict, string) {
			if left != 0 {
				return verdict.LostTask, fmt.Sprintf("%d runs did not happen", left)
			}
			return verdict.Pass, ""
		},
	}, nil
}
