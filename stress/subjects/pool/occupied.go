package pool

import (
	gocontext "context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// occupy posts a job for each of n workers, returns when all have begun, and lets them end with release.
func (x *execution) occupy(p *pool.Pool, n int, name string) (release func()) {
	jobs := x.open(name, n)
	var begun, over sync.WaitGroup
	begun.Add(n)
	over.Add(1)
	for i := range jobs {
		if err := p.Go(func(*pool.Worker) { begun.Done(); over.Wait(); jobs[i].ran() }); err != nil {
			x.Fail(verdict.WrongResult, "%s: Go: %v", jobs[i].name, err)
		}
	}
	begun.Wait()
	return over.Done
}

// queuedWorkload: a job is dropped if its context ends before it begins. While every worker is occupied, that
// does not depend on chance.
var queuedWorkload = workload{
	name: "queued",
	about: "Jobs that are cancelled between queueing and start: while all workers are occupied, jobs are started by Run, Submit and scopes, and " +
		"their contexts end. None may run, and each waiter gets the context's error, also if it comes later than a worker; a job of GoContext runs. Then the workers go on, while others are " +
		"cancelled, and run a broadcast that was given up, all or none of them.",
	uses:     []string{"jobs", "injectors", "repeat", "pause"},
	defaults: sizes{jobs: 4, injectors: 2, repeat: 4, pause: defaultPause},
	small:    sizes{jobs: 1, injectors: 1, repeat: 2},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("queued")
		var broadcasts [][]entry
		for i := range x.sizes.repeat {
			x.pause(r)
			broadcasts = append(broadcasts, x.queued(p, &queuedWays[r.IntN(len(queuedWays))], fmt.Sprint("round ", i)))
		}
		x.close(p)
		for _, shares := range broadcasts {
			x.allOrNone(shares)
		}
	},
}

// A queuedWay starts a job that cannot begin, ends its context, and waits for it. free is the number of workers
// that it needs.
type queuedWay struct {
	name  string
	free  int
	start func(p *pool.Pool, ctx gocontext.Context, end func(), f func()) error
}

var queuedWays = []queuedWay{
	{name: "Run", start: func(p *pool.Pool, ctx gocontext.Context, end func(), f func()) error {
		return ending(end, func() error { return p.Run(ctx, func(*pool.Worker) error { f(); return nil }) })
	}},
	{name: "Submit", start: func(p *pool.Pool, ctx gocontext.Context, end func(), f func()) error {
		future := pool.Submit(ctx, p, func(*pool.Worker) (int, error) { f(); return 0, nil })
		return ending(end, func() error { _, err := future.Wait(gocontext.Background()); return err })
	}},
	{name: "ScopeContext", free: 1, start: func(p *pool.Pool, ctx gocontext.Context, end func(), f func()) error {
		return p.Run(gocontext.Background(), func(w *pool.Worker) error {
			return w.ScopeContext(ctx, func(s *pool.Scope) {
				s.Go(w, func(*pool.Worker) { f() })
				s.Go(nil, func(*pool.Worker) { f() })
				s.GoN(w, 2, func(*pool.Worker, int) { f() })
				end()
			})
		})
	}},
}

// ending ends a context while another goroutine waits in f.
func ending(end func(), f func() error) error {
	var canceller subject.Crew
	canceller.Start("canceller", end)
	defer canceller.Wait()
	return f()
}

// queued starts jobs that have to be dropped, and then some that may be.
func (x *execution) queued(p *pool.Pool, way *queuedWay, name string) (abandoned []entry) {
	release := x.occupy(p, x.workers-way.free, name+", occupying")
	for i := range x.sizes.jobs {
		ctx, end := context.WithCancel(gocontext.Background())
		err := way.start(p, ctx, end, func() {
			x.Fail(verdict.WrongResult, "%s: %s, job %d ran, and its context ended before it could begin", name, way.name, i)
		})
		end()
		if !errors.Is(err, gocontext.Canceled) {
			x.Fail(verdict.WrongResult, "%s: %s, job %d: %v, want %v", name, way.name, i, err, gocontext.Canceled)
		}
	}
	shares := x.abandonedBroadcast(p, name, x.workers-way.free)
	if way.free == 0 {
		x.cancelledAndReleased(p, lateWays, name, release)
		release = func() {}
	}
	var releaser subject.Crew
	releaser.Start("releaser of "+name, release)
	x.cancel(p, waysToGiveUp)
	releaser.Wait()
	return shares
}

// A lateWay starts a job that cannot begin, and returns how to wait for it.
type lateWay struct {
	name  string
	start func(p *pool.Pool, ctx gocontext.Context, f func()) (wait func() error)
}

// lateWays lists the ways whose waiter, or watcher, may come later than the worker that takes the job.
var lateWays = []lateWay{
	{name: "Run", start: func(p *pool.Pool, ctx gocontext.Context, f func()) (wait func() error) {
		var waiter subject.Crew
		var err error
		waiter.Start("waiter", func() { err = p.Run(ctx, func(*pool.Worker) error { f(); return nil }) })
		return func() error { waiter.Wait(); return err }
	}},
	{name: "Submit", start: func(p *pool.Pool, ctx gocontext.Context, f func()) (wait func() error) {
		future := pool.Submit(ctx, p, func(*pool.Worker) (int, error) { f(); return 0, nil })
		return func() error { _, err := future.Wait(gocontext.Background()); return err }
	}},
}

// cancelledAndReleased starts jobs, ends their context, and only then lets the workers go on: so no job may
// run, although none has been dropped yet. A job that GoContext has taken runs all the same.
func (x *execution) cancelledAndReleased(p *pool.Pool, ways []lateWay, name string, release func()) {
	ctx, end := context.WithCancel(gocontext.Background())
	taken := x.open(name+", GoContext", 1)
	if err := p.GoContext(ctx, func(*pool.Worker) { taken[0].ran() }); err != nil {
		x.Fail(verdict.WrongResult, "%s: GoContext: %v", taken[0].name, err)
	}
	var waits []func() error
	for _, way := range ways {
		waits = append(waits, way.start(p, ctx, func() {
			x.Fail(verdict.WrongResult, "%s: %s: the job ran, and its context had ended before a worker was free", name, way.name)
		}))
	}
	queued := 1 + len(ways)
	x.bestEffort(func() bool { return p.State().Injected >= queued })
	end()
	release()
	for i, wait := range waits {
		if err := wait(); !errors.Is(err, gocontext.Canceled) {
			x.Fail(verdict.WrongResult, "%s: %s with a context that had ended before a worker was free: %v, want %v", name, ways[i].name, err, gocontext.Canceled)
		}
	}
}

// abandonedBroadcast gives up a broadcast, which cannot end while any worker is occupied. It returns its shares.
func (x *execution) abandonedBroadcast(p *pool.Pool, name string, occupied int) []entry {
	shares := make([]entry, p.Workers()) // not the ledger's: none runs if the context ends first
	ctx, end := context.WithCancel(gocontext.Background())
	err := ending(end, func() error {
		return p.Broadcast(ctx, func(w *pool.Worker) { shares[w.Index()].ran() })
	})
	if !errors.Is(err, gocontext.Canceled) && (err != nil || occupied > 0) {
		x.Fail(verdict.WrongResult, "%s: Broadcast with %d workers occupied: %v, want %v", name, occupied, err, gocontext.Canceled)
	}
	return shares
}

// allOrNone checks a broadcast of a closed pool: if one worker has run it, each has, once.
func (x *execution) allOrNone(shares []entry) {
	for i := range shares {
		if n, first := shares[i].runs.Load(), shares[0].runs.Load(); n != first || n > 1 {
			x.Fail(verdict.WrongResult, "an abandoned broadcast ran %d times on worker %d, and %d times on worker 0", n, i, first)
			return
		}
	}
}
