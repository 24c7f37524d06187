package pool

import (
	"context"
	"errors"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// crossingWorkload: scopes and futures whose jobs run in another pool than their waiters.
var crossingWorkload = workload{
	name: "crossing",
	about: "Scopes and futures between two pools: a worker of one opens a scope in the other, whose jobs come from both sides and open one back, to the " +
		"depth given; so do its futures, which are waited for again and again, one by a job that may be on top of its own. Each job runs once, in the right pool, before its waiter continues. In the end a job of one pool closes the other.",
	uses:     []string{"jobs", "injectors", "depth", "repeat", "pause"},
	defaults: sizes{jobs: 3, injectors: 2, depth: 2, repeat: 3, pause: defaultPause},
	small:    sizes{jobs: 1, injectors: 1, depth: 1, repeat: 2},
	run: func(x *execution) {
		a, b := x.newPool(x.workers), x.newPool(x.workers)
		x.fromBothSides(a, b, x.crossing)
		err := a.Run(context.Background(), func(w *pool.Worker) error { return w.Close(context.Background(), b) })
		if err != nil {
			x.Fail(verdict.WrongResult, "Worker.Close: %v", err)
		}
		x.closed(b)
		x.finish(a)
		x.report(closedStats(sumOf(a.Stats(), b.Stats()), 0, int(x.shares.Load())))
	},
}

// crossing runs jobs in p that use the other pool.
func (x *execution) crossing(p, other *pool.Pool, name string) {
	r := x.Rand(name)
	for range x.sizes.repeat {
		x.pause(r)
		err := p.Run(context.Background(), func(w *pool.Worker) error {
			x.crossScope(w, other, name, x.sizes.depth, (*pool.Worker).InPlaceScope)
			x.crossFutures(w, other, name)
			x.waitBeneath(w, name)
			return nil
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "%s: Run: %v", name, err)
		}
	}
}

// A scopeElsewhere is (*pool.Worker).InPlaceScope.
type scopeElsewhere func(w *pool.Worker, other *pool.Pool, body func(s *pool.Scope)) error

// crossScope opens a scope in the other pool, of that depth, and waits for it.
func (x *execution) crossScope(w *pool.Worker, other *pool.Pool, name string, depth int, open scopeElsewhere) {
	here := w.Pool()
	jobs := x.open(name+", across", 4*x.sizes.jobs)
	shares := x.open(name+", broadcast across", other.Workers())
	x.shares.Add(int64(len(shares)))
	err := open(w, other, func(s *pool.Scope) {
		s.GoBroadcast(func(w *pool.Worker) { shares[w.Index()].ran() })
		for i := range x.sizes.jobs {
			s.Go(w, func(w *pool.Worker) {
				if w.Pool() != other || w.Pool().Name() != other.Name() {
					x.Fail(verdict.WrongResult, "%s: a job of a scope in %q runs in %q", name, other.Name(), w.Pool().Name())
				}
				s.Go(w, func(*pool.Worker) { jobs[4*i+1].ran() })
				if depth > 1 {
					x.crossScope(w, here, name, depth-1, open)
				}
				jobs[4*i].ran()
			})
			s.GoN(nil, 2, func(_ *pool.Worker, k int) { jobs[4*i+2+k].ran() })
		}
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "%s: InPlaceScope: %v", name, err)
	}
	for _, set := range [][]entry{jobs, shares} {
		for i := range set {
			if set[i].runs.Load() == 0 {
				x.Fail(verdict.LostTask, "%s: its scope ended before it had run", set[i].name)
			}
		}
	}
}

// crossFutures waits for futures of both pools, in both ways.
func (x *execution) crossFutures(w *pool.Worker, other *pool.Pool, name string) {
	jobs := x.open(name+", futures", 2*x.sizes.jobs)
	futures := make([]*pool.Future[int], len(jobs))
	for i := range jobs {
		f := func(*pool.Worker) (int, error) { jobs[i].ran(); return i, nil }
		if i%2 == 0 {
			futures[i] = pool.Spawn(w, f)
		} else {
			futures[i] = pool.Submit(context.Background(), other, f)
		}
	}
	for i, future := range futures {
		done := future.Done()
		if err := w.Wait(future); err != nil {
			x.Fail(verdict.WrongResult, "%s: Wait: %v", jobs[i].name, err)
		}
		if !future.Ready() || jobs[i].runs.Load() == 0 {
			x.Fail(verdict.LostTask, "%s: Wait returned before it had run", jobs[i].name)
		}
		if n, err := future.Await(w); n != i || err != nil {
			x.Fail(verdict.WrongResult, "%s: Await: %d and %v, want %d", jobs[i].name, n, err, i)
		}
		if future.Done() != done {
			x.Fail(verdict.WrongResult, "%s: Done returns another channel than before", jobs[i].name)
		}
		channel.Receive(done) // the channel is closed soon: the result is there
	}
}

// waitBeneath has a job wait for one that may be suspended beneath it: the only worker runs it there.
func (x *execution) waitBeneath(w *pool.Worker, name string) {
	b := &beneath{x: x, jobs: x.open(name+", one on top of the other", 2)}
	b.known.Add(1)
	b.future = pool.Spawn(w, b.suspended)
	b.known.Done()
	if n, err := b.future.Await(w); n != 1 || err != nil {
		x.Fail(verdict.WrongResult, "%s: Await: %d and %v, want 1", b.jobs[0].name, n, err)
	}
}

// beneath holds two jobs, one of which waits for the other.
type beneath struct {
	x      *execution
	jobs   []entry
	future *pool.Future[int] // of suspended
	known  sync.WaitGroup    // for future, which a thief may begin before it is
}

func (b *beneath) suspended(w *pool.Worker) (int, error) {
	b.known.Wait()
	w.Go(b.waiting)
	w.YieldLocal()
	b.jobs[0].ran()
	return 1, nil
}

func (b *beneath) waiting(w *pool.Worker) {
	defer b.jobs[1].ran()
	n, err := b.future.Await(w)
	var deadlock *pool.DeadlockError
	switch {
	case errors.As(err, &deadlock):
		if !strings.Contains(deadlock.Job, "(*beneath).waiting") || !strings.Contains(deadlock.Beneath, "(*beneath).suspended") {
			b.x.Fail(verdict.WrongResult, "%s: the job that waits for the one beneath it is reported as %v", b.jobs[1].name, err)
		}
	case b.x.workers == 1 || n != 1 || err != nil:
		b.x.Fail(verdict.WrongResult, "%s: Await of the job beneath: %d and %v", b.jobs[1].name, n, err)
	}
}
