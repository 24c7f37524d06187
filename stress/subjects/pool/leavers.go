package pool

import (
	"context"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// leaversWorkload is the only one that tests whether a worker that stops searching because its latch is
// set (a leaver) wakes another in its place, and the only one in which a JEC that rolls over can strand a
// job.
//
// Worker 0 waits, idle, for a run in a second pool. When all workers are idle a
// job is posted from outside; some time later the run ends, and worker 0 leaves
// for user code, where it stays until the job has run. The others have to run it.
var leaversWorkload = workload{
	name:     "leavers",
	about:    "Worker 0 waits for a run in another pool, and leaves for good when that ends; a job posted while it seemed to be looking for work must not be stranded. The job is posted one pause after all are idle, the leaver's run ends three pauses later.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 3, pause: defaultPause},
	small:    sizes{repeat: 1},
	least:    2,
	run: func(x *execution) {
		p, other := x.newPool(x.workers), x.newPool(1)
		for range x.sizes.repeat {
			x.leave(p, other)
		}
		x.close(other)
		x.finish(p)
	},
}

// leave runs one leaver and one job.
func (x *execution) leave(p, other *pool.Pool) {
	end, ran := make(chan struct{}), make(chan struct{})
	var begun atomic.Bool // the run in the other pool
	jobs := x.open("outsider", 2)
	left := x.onOneWorker(p, func(w *pool.Worker) {
		err := w.Run(other, func(*pool.Worker) error {
			begun.Store(true)
			channel.Receive(end)
			jobs[0].ran()
			return nil
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "%s: Worker.Run: %v", jobs[0].name, err)
		}
		channel.Receive(ran) // user code: the worker no longer looks for work
	})
	x.until(func() bool { return begun.Load() && p.Counters().Inactive == p.Workers() })
	x.wait(x.sizes.pause)
	if err := p.Go(func(*pool.Worker) { jobs[1].ran(); channel.Close(ran) }); err != nil {
		x.Fail(verdict.WrongResult, "%s: Go: %v", jobs[1].name, err)
	}
	x.wait(3 * x.sizes.pause)
	channel.Close(end)
	left.Wait()
}

// onOneWorker starts f on worker 0, so that plans can name it. Under control, where
// the schedule matters, it starts f on whichever worker comes first.
func (x *execution) onOneWorker(p *pool.Pool, f func(w *pool.Worker)) *subject.Crew {
	done := new(subject.Crew)
	if x.Controlled() {
		done.Add(1)
		if err := p.Go(func(w *pool.Worker) { defer done.Done(); f(w) }); err != nil {
			x.Fail(verdict.WrongResult, "Go: %v", err)
		}
		return done
	}
	done.Start("caller of the leaver", func() {
		err := p.Broadcast(context.Background(), func(w *pool.Worker) {
			if w.Index() == 0 {
				f(w)
			}
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "Broadcast: %v", err)
		}
	})
	return done
}

// wait sleeps, unless there is no pause: under control a sleep of no length would
// still let all others go first.
func (x *execution) wait(d time.Duration) {
	if d > 0 {
		time.Sleep(d)
	}
}
