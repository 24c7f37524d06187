package pool

import (
	"fmt"
	"runtime/trace"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
)

// A task is what a job does and what its end means.
type task interface {
	// run is the job itself; it may panic or call runtime.Goexit.
	run(w *Worker)
	// finish is called once after run, however run ended, on the same worker. It must not panic.
	finish(w *Worker, o outcome)
}

// A job is what queues hold; each task embeds one. Only the address counts, so a queue's slot is
// one word.
type job struct {
	life     life // of those that are used again
	task     task
	isolated bool // waits inside it are: see Worker.Isolated
	guest    bool // it takes room in a bounded injector
}

// execute runs a job that was taken from a queue. It is a boundary: panics and Goexits end here,
// and every join begun inside is over when the task is finished.
func (w *Worker) execute(j *job) {
	if hooks.Enabled {
		j.life.touch(w, "a job", "runs it")
	}
	hooks.At(pointJobRun)
	w.counts.jobs++
	w.forks.reconsider() // others have taken jobs while w had none
	end := func() {}
	if trace.IsEnabled() {
		end = region()
	}
	w.protect(j.task, j.isolated)
	w.pool.sleep.JobDone()
	end()
}

// protect runs a task on this worker as a boundary for panics and Goexit. It returns unless the
// task calls Goexit: then the worker's whole stack unwinds, and each boundary on it finishes its
// task with that outcome. However the task ends, w.isolated is restored: a Goexit waits on its way
// out, too.
func (w *Worker) protect(t task, isolated bool) {
	open, was, below := w.forks.top, w.isolated, len(w.stack)
	follows, join := w.follows, w.followsJoin
	w.isolated = isolated
	w.nest(t)
	returned := false
	defer func() {
		var o outcome
		if !returned {
			v := recover()
			if hooks.Enabled && hooks.Unwinding(v) {
				panic(v)
			}
			o = outcomeOf(v)
		}
		if hooks.Enabled { // what is left of an empty call orders the instructions otherwise
			hooks.At(pointJobDone)
		}
		defer t.finish(w, o) // deferred: a job that settle runs may call Goexit, too
		if w.forks.top != open {
			w.settleFor(open, was)
		}
		w.isolated = was
		w.follows, w.followsJoin = follows, join
		w.unnest(below)
	}()
	t.run(w)
	returned = true
}

// settleFor is settle, after which waits are isolated again or not, however that ends.
func (w *Worker) settleFor(open int, isolated bool) {
	defer func() { w.isolated = isolated }()
	w.settle(open)
}

// endings are how the jobs of one waiter ended. Of their panics it keeps the first.
type endings struct {
	panicked atomic.Pointer[PanicError]
	goexit   atomic.Bool
}

// note notes how one of them ended.
func (e *endings) note(o outcome) {
	if o.panicked != nil {
		e.panicked.CompareAndSwap(nil, o.panicked)
	}
	if o.goexit {
		e.goexit.Store(true)
	}
}

// outcome is theirs together.
func (e *endings) outcome() outcome {
	return outcome{panicked: e.panicked.Load(), goexit: e.goexit.Load()}
}

// goTask is a job that nothing waits for. It holds a reference to the pool.
type goTask struct {
	job
	pool *Pool
	f    func(w *Worker)
}

func (t *goTask) run(w *Worker) {
	f := t.f
	t.f = nil // a deque's slot may keep t for a while, but need not keep what f holds
	f(w)
}

func (t *goTask) finish(w *Worker, o outcome) {
	if o.panicked != nil {
		t.pool.unhandled(o.panicked)
	}
	t.pool.release()
}

func newGoTask(p *Pool, f func(w *Worker), isolated bool) *job {
	t := &goTask{pool: p, f: f}
	t.task, t.isolated = t, isolated
	return &t.job
}

// unhandled is called with a panic that nothing waits for.
func (p *Pool) unhandled(e *PanicError) {
	if p.panicHandler == nil {
		crash(e)
	}
	returned := false
	defer func() {
		if returned {
			return
		}
		if v := recover(); v != nil {
			e = &PanicError{Value: fmt.Sprintf("%v; and the panic handler, called with it, panicked: %v", e.Value, v), Stack: e.Stack}
		}
		crash(e) // also if the handler called Goexit
	}()
	p.panicHandler(e)
	returned = true
}

// crash ends the process with a panic that no recover below can catch: those of the jobs further
// down on this stack are not meant for it.
func crash(e *PanicError) {
	go func() { panic(e) }()
	select {}
}
