package pool

import (
	"context"
	"fmt"
	"reflect"
	"runtime"

	"github.com/rouse-go/rouse/hooks"
)

// A pool lives as long as there are references to it: its own until Close, and one of every job
// that came from outside or that nothing waits for. refs counts them, above one bit that is set
// when the pool takes no more jobs from outside (README.md, "Termination").
const (
	closing int64 = 1
	oneRef  int64 = 2
)

// enter takes a reference for a job from outside, if the pool is open.
func (p *Pool) enter() error { return p.enterN(1) }

// enterN is enter for n jobs, which may come later.
func (p *Pool) enterN(n int64) error {
	if p == nil {
		return ErrNoPool
	}
	for {
		switch r := p.refs.Load(); {
		case r == 0: // until Close, and after it, refs of a pool that New made is not
			return ErrZeroPool
		case r&closing != 0:
			return ErrClosed
		case p.refs.CompareAndSwap(r, r+n*oneRef):
			return nil
		}
	}
}

// hold takes references for n jobs that a job starts: that one holds a reference itself, or is
// waited for by one that does, so the pool cannot have ended.
func (p *Pool) hold(n int) { p.refs.Add(int64(n) * oneRef) }

// release is M: it gives a reference back. The last one ends the workers.
func (p *Pool) release() { p.releaseN(1) }

// releaseN is release for n references.
func (p *Pool) releaseN(n int64) {
	hooks.At(pointTermDec)
	if p.refs.Add(-oneRef*n) == closing {
		p.terminate()
	}
}

// terminate is called once.
func (p *Pool) terminate() {
	for _, w := range p.workers {
		w.end()
	}
	p.spares.close(p)
}

// end makes the worker end. It is called once, so stays out of line.
//
//go:noinline
func (w *Worker) end() {
	for range hooks.Notify(pointTermSet) {
		w.until.SetAndTickleOne(&w.pool.sleep, w.index)
		if !hooks.Enabled {
			break
		}
	}
}

// workerEnded is the last thing a worker does.
func (p *Pool) workerEnded() {
	if p.running.Add(-1) == 0 {
		p.ended.come()
	}
}

// Close stops the pool from taking jobs from outside, lets it finish all that it has, those jobs'
// own jobs included, and returns when all workers have ended. It may be called any number of times,
// also at the same time; each call waits. It is for outsiders: inside a job of any pool it returns
// ErrInsideJob and does nothing. A job may close another pool with Worker.Close.
//
// If ctx ends first, Close returns an error that wraps ctx.Err() and lists what is left; the pool
// continues to close.
func (p *Pool) Close(ctx context.Context) error {
	if onWorker() {
		return ErrInsideJob
	}
	if err := p.close(); err != nil {
		return err
	}
	return p.left(p.ended.wait(ctx))
}

// Close is Pool.Close for a job of another pool: w works while it waits. With w's own pool it
// returns ErrInsideJob and does nothing.
//
// If a job on w's stack, the caller's or one beneath, keeps the other pool open - a worker of that
// waits for it, or it has a scope there (InPlaceScope) - Close returns a *DeadlockError at once,
// and the other pool continues to close. Two pools that close each other from inside wait until
// one's context ends.
func (w *Worker) Close(ctx context.Context, other *Pool) error {
	w.check("Worker.Close")
	if other == w.pool {
		return ErrInsideJob
	}
	if err := other.close(); err != nil {
		return err
	}
	if err := w.closeNeverEnds(other); err != nil {
		return err
	}
	return other.left(other.ended.waitOn(ctx, w, waitsForClose))
}

// close begins to close the pool, unless it is closing already.
func (p *Pool) close() error {
	if p == nil {
		return ErrNoPool
	}
	for {
		r := p.refs.Load()
		if r == 0 {
			return ErrZeroPool
		}
		if r&closing != 0 {
			return nil
		}
		if ours, references := p.injector.close(func() bool { return p.refs.CompareAndSwap(r, r|closing) }); ours {
			p.releaseN(1 + references)
			return nil
		}
	}
}

// references returns how many there are that jobs hold, or the pool itself.
func (p *Pool) references() int64 {
	_, _, n := p.injector.waiting()
	for _, w := range *p.all.Load() {
		n += w.unpaid.Load()
	}
	return max(p.refs.Load()/oneRef-n, 0)
}

// left makes the error of a Close of one that ended its wait for the pool's end.
func (p *Pool) left(err error) error {
	if err == nil {
		return nil
	}
	if left := p.references(); left > 0 {
		return fmt.Errorf("pool: Close: %w: %d jobs are not done", err, left)
	}
	return fmt.Errorf("pool: Close: %w: all jobs are done, the workers have not ended yet", err)
}

// onWorker reports whether the caller runs on a worker's goroutine, of whatever pool. Where
// goroutines have no known identity it looks for Worker.main on the stack, which takes a
// microsecond and more, the deeper the stack the more.
func onWorker() bool {
	if w, known := caller(); known {
		return w != nil
	}
	for pcs := make([]uintptr, 64); ; pcs = make([]uintptr, 4*len(pcs)) {
		n := runtime.Callers(1, pcs)
		if n == len(pcs) {
			continue // main is near the stack's other end
		}
		frames := runtime.CallersFrames(pcs[:n])
		for {
			frame, more := frames.Next()
			if frame.Entry == mainEntry {
				return true
			}
			if !more {
				return false
			}
		}
	}
}

// mainEntry is where the code of Worker.main begins.
var mainEntry = runtime.FuncForPC(reflect.ValueOf((*Worker).main).Pointer()).Entry()
