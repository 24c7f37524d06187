package pool

import (
	"context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
)

// isolatedWorkload: a job that holds a lock waits, isolated, for a join and for a scope, while another job
// needs that lock. A wait that ran that job, or missed its own jobs, would deadlock.
var isolatedWorkload = workload{
	name: "isolated",
	about: "A job holds a lock over a join and over a scope, which it waits for isolated, and another job that needs the lock is posted from " +
		"outside: a wait that ran it would wait for itself. What the job waits for is stolen, so that it sleeps privately and a spare takes its place; the " +
		"thief may not broadcast, since the worker that waits for it would not come to its share.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 3, pause: defaultPause},
	small:    sizes{repeat: 1},
	least:    2,
	spares:   func(sizes) int { return 2 }, // of the job that waits, one that ends and one that starts
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("isolated")
		for i := range x.sizes.repeat {
			x.pause(r)
			x.isolated(p, x.open(fmt.Sprint("isolation ", i), 5))
		}
		x.close(p)
	},
}

func (x *execution) isolated(p *pool.Pool, jobs []entry) {
	var lock sync.Mutex
	var stolen, strange atomic.Bool
	asleep := func(w *pool.Worker) bool {
		if x.Controlled() { // the engine does not see that State is polled, and would stay with it
			return strange.Load()
		}
		return p.State().Workers[w.Index()].Asleep
	}
	err := p.Run(context.Background(), func(w *pool.Worker) error {
		lock.Lock()
		defer lock.Unlock()
		if err := p.Go(func(w *pool.Worker) { // the stranger
			w.Blocking(lock.Lock)
			jobs[4].ran()
			lock.Unlock()
			strange.Store(true)
		}); err != nil {
			x.Fail(verdict.WrongResult, "%s: Go: %v", jobs[4].name, err)
		}
		w.Isolated(func(w *pool.Worker) {
			w.Join(
				func(w *pool.Worker) {
					x.bestEffort(func() bool { // a fork without a waiting thief is shared by the next one
						w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
						return stolen.Load()
					})
					jobs[0].ran()
				},
				func(thief *pool.Worker) {
					stolen.Store(true)
					x.bestEffort(func() bool { return asleep(w) })
					x.refusesBroadcast(thief, w)
					x.report(brokenSleepers(p.State(), p.State(), x.Variant()))
					jobs[1].ran()
				})
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(thief *pool.Worker) {
					x.bestEffort(func() bool { return asleep(w) })
					x.refusesBroadcast(thief, w)
					s.Go(thief, func(*pool.Worker) { jobs[3].ran() })
					x.bestEffort(func() bool { return !asleep(w) })
					jobs[2].ran()
				})
				x.bestEffort(func() bool { return jobs[2].runs.Load() > 0 })
			})
		})
		return nil
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "Run: %v", err)
	}
	x.until(strange.Load)
}

// refusesBroadcast has a thief broadcast in a job that another worker waits for, isolated, unless that is a
// spare, which gets no share.
func (x *execution) refusesBroadcast(thief, waiter *pool.Worker) {
	p := waiter.Pool()
	if thief.Index() == waiter.Index() || waiter.Index() >= p.Workers() {
		return
	}
	var deadlock *pool.DeadlockError
	err := thief.Broadcast(p, func(*pool.Worker) {
		x.Fail(verdict.WrongResult, "a broadcast runs, and a worker waits isolated for the job that waits for it")
	})
	if !errors.As(err, &deadlock) {
		x.Fail(verdict.WrongResult, "Broadcast in a job that another worker waits for isolated: %v, want a DeadlockError", err)
	}
}

// isolatedWithoutSpares has a worker wait isolated for a scope, in a pool where no spare can take its place.
// Another worker posts jobs of that scope, and stays occupied until they have run. Only the waiter is left to
// run them, and it sleeps where no post wakes it.
func (x *execution) isolatedWithoutSpares(name string) {
	r := x.Rand(name)
	batch, late := r.IntN(2) == 0, r.IntN(2) == 0
	p := x.newPool(2, pool.WithSpares(0))
	jobs := x.open(name+", without spares", 3)
	err := p.Run(context.Background(), func(w *pool.Worker) error {
		w.Isolated(func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				var begun atomic.Bool
				s.Go(w, func(thief *pool.Worker) {
					begun.Store(true)
					if late {
						time.Sleep(defaultPause) // until the waiter sleeps
					}
					var over sync.WaitGroup
					over.Add(2)
					job := func(_ *pool.Worker, i int) { jobs[i].ran(); over.Done() }
					if batch {
						s.GoN(thief, 2, job)
					} else {
						s.Go(thief, func(w *pool.Worker) { job(w, 0) })
						s.Go(thief, func(w *pool.Worker) { job(w, 1) })
					}
					if thief.Index() != w.Index() {
						over.Wait()
					}
					jobs[2].ran()
				})
				x.bestEffort(begun.Load)
			})
		})
		return nil
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "%s: Run: %v", name, err)
	}
	x.close(p)
}
