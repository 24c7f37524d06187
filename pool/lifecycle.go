package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

// A pool lives as long as somebody holds a reference to it: itself until Close,
// and every job that came from outside or that nobody waits for. refs counts
// them, above one bit that says that the pool takes no more jobs from outside.
const (
	closing int64 = 1
	oneRef  int64 = 2
)

// enter takes a reference for a job from outside; false if the pool is closed, or
// was never opened: until Close, refs of a pool that New made is not zero.
func (p *Pool) enter() bool {
	for {
		r := p.refs.Load()
		if r == 0 || r&closing != 0 {
			return false
		}
		if p.refs.CompareAndSwap(r, r+oneRef) {
			return true
		}
	}
}

// hold takes references for n jobs that a job starts: that one holds a reference
// itself, or is waited for by one that does, so the pool cannot have ended.
func (p *Pool) hold(n int) { p.refs.Add(int64(n) * oneRef) }

// release is M: it gives a reference back. Who gives back the last tells the
// workers to end.
func (p *Pool) release() {
	hooks.At(pointTermDec)
	if p.refs.Add(-oneRef) == closing {
		p.terminate()
	}
}

// terminate is called once.
func (p *Pool) terminate() {
	for _, w := range p.workers {
		w.end()
	}
}

// end tells the worker to end: once in its life, so out of line.
//
//go:noinline
func (w *Worker) end() {
	for range hooks.Notify(pointTermSet) {
		w.until.SetAndTickleOne(w.pool.sleep, w.index)
		if !hooks.Enabled {
			break
		}
	}
}

// workerEnded is the last thing a worker does.
func (p *Pool) workerEnded() {
	if p.running.Add(-1) == 0 {
		close(p.ended)
	}
}

// Close stops the pool from taking jobs from outside, lets it finish all that it
// has, those jobs' own jobs included, and returns when all workers have ended. It
// may be called any number of times, also at the same time; each call waits. A
// job of this pool must not call it: it would wait for itself.
//
// If ctx ends first, Close returns an error that wraps ctx.Err() and says what is
// left; the pool goes on closing.
func (p *Pool) Close(ctx context.Context) error {
	for {
		r := p.refs.Load()
		if r == 0 {
			return nil // never opened
		}
		if r&closing != 0 {
			break
		}
		if p.refs.CompareAndSwap(r, r|closing) {
			p.release()
			break
		}
	}
	select {
	case <-p.ended:
		return nil
	default:
	}
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
		if left := p.refs.Load() / oneRef; left > 0 {
			return fmt.Errorf("pool: Close: %w: %d jobs are not done", ctx.Err(), left)
		}
		return fmt.Errorf("pool: Close: %w: all jobs are done, the workers have not ended yet", ctx.Err())
	}
}
