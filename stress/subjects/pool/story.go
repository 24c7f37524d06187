package pool

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/pool"
)

// storyWorkload is the example of a lost latch notification in rayon's first sleep document, step by
// step. A forks T1 and runs T2; B steals T1, which
// forks T3 and runs T4; A, done with T2, waits for T1, and steals T3; B, done
// with T4, waits for T3 and falls asleep; A ends T3 and sets its latch. If B is
// not notified, it never ends T1, and A falls asleep as well. T1 and T3 are second halves of joins, or
// futures.
var storyWorkload = workload{
	name:     "story",
	about:    "T1 to T4: two workers wait for each other's halves of two joins, and one of them is asleep when its half is done. Without the latch's notification both sleep for ever. Or T1 and T3 are futures: a wait returns a DeadlockError if T1 also waits for A's job, and else none does.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 3, pause: defaultPause},
	small:    sizes{repeat: 1},
	least:    2, most: 2,
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("story")
		for range x.sizes.repeat {
			x.pause(r)
			x.story(p, r)
		}
		x.finish(p)
	},
}

// story draws whether T1 and T3 are second halves of joins, or futures without or with a cycle of waits.
func (x *execution) story(p *pool.Pool, r *rand.Rand) {
	e := &storyExecution{x: x, p: p, jobs: x.open("the story", 4)}
	cycle := func(w *pool.Worker) { e.cycle(w, (*pool.Worker).Wait) }
	tell := []func(a *pool.Worker){e.joins, e.futures, cycle}[r.IntN(3)]
	err := p.Run(context.Background(), func(a *pool.Worker) error { tell(a); return nil })
	if err != nil {
		x.Fail(verdict.WrongResult, "Run: %v", err)
	}
}

// A storyExecution is one execution of T1 to T4, which are its jobs in this order.
type storyExecution struct {
	x      *execution
	p      *pool.Pool
	jobs   []entry
	t1, t3 atomic.Bool       // have begun, on the other worker
	future *pool.Future[int] // T1, if it is a future
}

// spin waits until a job has begun, without helping.
func (*storyExecution) spin(begun *atomic.Bool) {
	for !begun.Load() {
		hooks.Gosched()
	}
}

// untilAsleep waits until b sleeps.
func (e *storyExecution) untilAsleep(b *pool.Worker) {
	if !e.x.Controlled() { // under control all moments are tried
		e.x.until(func() bool { return e.p.State().Workers[b.Index()].Asleep })
	}
}

func (e *storyExecution) joins(a *pool.Worker) {
	a.Join(
		func(*pool.Worker) { e.spin(&e.t1); e.jobs[1].ran() }, // T2
		func(b *pool.Worker) { // T1
			e.t1.Store(true)
			b.Join(
				func(*pool.Worker) { e.spin(&e.t3); e.jobs[3].ran() }, // T4
				func(*pool.Worker) { // T3
					e.t3.Store(true)
					e.untilAsleep(b)
					e.jobs[2].ran()
				},
			)
			e.jobs[0].ran()
		},
	)
}

// futures has T1 and T3 be futures. While T3 runs on top of A's wait for T1, which waits for T3, no wait is
// part of a cycle: T3 does not need the end of A's.
func (e *storyExecution) futures(a *pool.Worker) {
	e.notInCycle("A's", e.tellFutures(a, func(_, b *pool.Worker) { e.untilAsleep(b) }, func(*pool.Worker) {}))
}

// cycle has T1, in the end, wait for A's job, which is a future and waits for T1. One of the two waits is
// given up, although T3 has waited meanwhile on top of A's.
func (e *storyExecution) cycle(w *pool.Worker, wait func(*pool.Worker, pool.Awaitable) error) {
	var job *pool.Future[int]
	var ofJob, ofT1 error
	job = pool.Spawn(w, func(a *pool.Worker) (int, error) {
		ofJob = e.tellFutures(a, e.waitForAnother, func(b *pool.Worker) { ofT1 = wait(b, job) })
		return 0, nil
	})
	e.notInCycle("the caller's", w.Wait(job))
	e.notInCycle("the caller's", w.Wait(e.future))
	given := 0
	for _, err := range []error{ofJob, ofT1} {
		if deadlock := (*pool.DeadlockError)(nil); errors.As(err, &deadlock) {
			given++
		} else {
			e.notInCycle("another", err)
		}
	}
	if given == 0 {
		e.x.Fail(verdict.WrongResult, "two futures wait for each other, and neither wait returned a DeadlockError")
	}
}

// notInCycle checks the error of a wait that is not part of a cycle.
func (e *storyExecution) notInCycle(whose string, err error) {
	if err != nil {
		e.x.Fail(verdict.WrongResult, "%s wait for a future, which is part of no cycle of waits: %v", whose, err)
	}
}

// waitForAnother waits for a future that another worker has begun.
func (e *storyExecution) waitForAnother(w, _ *pool.Worker) {
	var begun atomic.Bool
	f := pool.Spawn(w, func(*pool.Worker) (int, error) {
		begun.Store(true)
		hooks.Gosched()
		return 0, nil
	})
	e.x.bestEffort(begun.Load)
	e.notInCycle("T3's", w.Wait(f))
}

// tellFutures runs T1 to T4, where T3 calls during, and T1 calls after at its end. It returns the error of A's
// wait for T1.
func (e *storyExecution) tellFutures(a *pool.Worker, during func(on, b *pool.Worker), after func(b *pool.Worker)) error {
	e.future = pool.Spawn(a, func(b *pool.Worker) (int, error) {
		e.t1.Store(true)
		t3 := pool.Spawn(b, func(on *pool.Worker) (int, error) {
			e.t3.Store(true)
			during(on, b)
			e.jobs[2].ran()
			return 0, nil
		})
		e.spin(&e.t3)
		e.jobs[3].ran() // T4
		e.notInCycle("T1's", b.Wait(t3))
		e.jobs[0].ran()
		after(b)
		return 0, nil
	})
	e.spin(&e.t1)
	e.jobs[1].ran() // T2
	return a.Wait(e.future)
}
