package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// isolatedWorkload: a job that holds a lock waits, isolated, for a join and for a scope, while another job
// needs that lock. If the wait ran that job, or missed what it waits for, it would be a deadlock.
var isolatedWorkload = workload{
	name: "isolated",
	about: "A job holds a lock over a join and over a scope, which it waits for isolated, and another job that needs the lock is posted from " +
		"outside: a wait that ran it would wait for itself. What the job waits for is stolen, so that it sleeps privately and a spare takes its place.",
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
		if x.Controlled() { // a look at the state is no poll to the engine, which would stay with it
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
					jobs[1].ran()
				})
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(thief *pool.Worker) {
					x.bestEffort(func() bool { return asleep(w) })
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
