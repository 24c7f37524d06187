//go:build chaos

package pool_test

import (
	"context"
	"errors"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// awaits counts the waits for futures that returned a *DeadlockError; another error is none.
type awaits struct{ never atomic.Int64 }

func (a *awaits) await(c *chaos.C, w *pool.Worker, f *pool.Future[int]) {
	_, err := f.Await(w)
	var e *pool.DeadlockError
	switch {
	case errors.As(err, &e):
		a.never.Add(1)
	case err != nil:
		c.Errorf("%v", err)
	}
}

// Programs whose jobs wait for each other only where one has been buried under another:
// what each schedule comes to is a result, or an error, and never a deadlock.
var buryingPrograms = map[string]func(c *chaos.C, a *awaits){
	// x and y wait for runs elsewhere; meanwhile each one's worker may begin the job that
	// awaits the other.
	"two futures": func(c *chaos.C, a *awaits) {
		p, q := small(2), small(1)
		waits := func(w *pool.Worker) (int, error) { over(w, q, func(*pool.Worker) {}); return 1, nil }
		x, y := pool.Submit(context.Background(), p, waits), pool.Submit(context.Background(), p, waits)
		for _, f := range []*pool.Future[int]{x, y} {
			if err := p.Go(func(w *pool.Worker) { a.await(c, w, f) }); err != nil {
				panic(err)
			}
		}
		closed(p)
		closed(q)
	},
	// The half of f's join that is stolen waits for a run elsewhere; meanwhile its worker may
	// begin the job that awaits f.
	"a join and a future": func(c *chaos.C, a *awaits) {
		p, q := small(2), small(1)
		f := pool.Submit(context.Background(), p, func(w *pool.Worker) (int, error) {
			w.Join(func(*pool.Worker) {}, func(w *pool.Worker) { over(w, q, func(*pool.Worker) {}) })
			return 1, nil
		})
		if err := p.Go(func(w *pool.Worker) { a.await(c, w, f) }); err != nil {
			panic(err)
		}
		closed(p)
		closed(q)
	},
	// A run in q awaits a job of p beneath the one that waits for the run.
	"a run and a future": func(c *chaos.C, a *awaits) {
		p, q := small(1), small(1)
		var f *pool.Future[int]
		var known sync.WaitGroup
		known.Add(1)
		f = pool.Submit(context.Background(), p, func(w *pool.Worker) (int, error) {
			known.Wait()
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(w *pool.Worker) { over(w, q, func(w *pool.Worker) { a.await(c, w, f) }) })
			})
			return 1, nil
		})
		known.Done()
		if n, err := f.Wait(context.Background()); n != 1 || err != nil {
			c.Errorf("%d, %v", n, err)
		}
		closed(p)
		closed(q)
	},
}

func TestWaitsAcrossWorkersUnderControl(t *testing.T) {
	executions := 3000
	if raceDetector() || testing.Short() {
		executions = 300
	}
	for name, program := range buryingPrograms {
		total := int64(0)
		for _, by := range []func() strategy.Strategy{strategy.Random, strategy.PCTCycle, strategy.POS} {
			s := by()
			t.Run(name+"/"+s.Name(), func(t *testing.T) {
				chaos.Explore(t, func(c *chaos.C) {
					var a awaits
					program(c, &a)
					total += a.never.Load()
				}, chaos.WithStrategy(s), chaos.WithExecutions(executions))
			})
		}
		if total == 0 {
			t.Errorf("%s: no wait was ever part of a deadlock", name)
		}
		t.Logf("%s: %d waits were given up", name, total)
	}
}
