package pool

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// A stage is how far a worker's goroutine has come, which decides what happens when it ends.
type stage int

const (
	refused stage = iota // by its start handler, in New: the worker has no life
	working              // a job, or a later start handler, has called Goexit: another goroutine continues
	over                 // the worker's life is
)

// starting is what New waits for: the start handlers of all workers.
type starting struct {
	left  atomic.Int64
	err   atomic.Pointer[error] // the first
	latch sleep.LockLatch
}

func (s *starting) started(err error) {
	if err != nil {
		s.err.CompareAndSwap(nil, &err)
	}
	if s.left.Add(-1) == 0 {
		s.latch.Set()
	}
}

// start starts the workers. If a start handler fails it returns when they have all ended.
func (p *Pool) start() error {
	if p.startHandler != nil {
		p.starting = new(starting)
		p.starting.left.Store(int64(len(p.workers)))
	}
	for _, w := range p.workers {
		w.start()
	}
	if p.starting == nil {
		return nil
	}
	p.starting.latch.Wait()
	err := p.starting.err.Load()
	if err == nil {
		return nil
	}
	p.refs.Store(closing)
	p.terminate()
	_ = p.ended.wait(context.Background()) // no end, no error
	return *err
}

// callStart calls the start handler on the worker's fresh goroutine. It reports false if the worker
// is not to live.
func (w *Worker) callStart() (ok bool) {
	handler := w.pool.startHandler
	first := !w.begun && !w.isSpare()
	w.begun = true
	if handler == nil || w.startFailed {
		return true
	}
	var err error
	returned := false
	defer func() {
		if !returned {
			err = unreturned(recover())
		}
		if err != nil {
			err = fmt.Errorf("start handler of %s: %w", w.name(), err)
		}
		ok = true
		switch {
		case first:
			ok = err == nil
			w.pool.starting.started(err)
		case err != nil:
			w.startFailed = true // it need not be tried again
			w.pool.unhandled(&PanicError{Value: err, Stack: debug.Stack()})
		}
	}()
	err = handler(w)
	returned = true
	return
}

// leave is called when the worker's goroutine is about to end.
func (w *Worker) leave(at stage) {
	defer func() { // deferred: the exit handler may call Goexit
		switch {
		case at == working:
			w.start()
			return
		case w.isSpare():
			w.pool.spares.ended(w)
		}
		w.pool.workerEnded()
	}()
	if at != refused && !w.startFailed && w.pool.exitHandler != nil {
		w.callExit()
	}
}

func (w *Worker) callExit() {
	returned := false
	defer func() {
		if !returned {
			err := fmt.Errorf("exit handler of %s: %w", w.name(), unreturned(recover()))
			w.pool.unhandled(&PanicError{Value: err, Stack: debug.Stack()})
		}
	}()
	w.pool.exitHandler(w)
	returned = true
}

// unreturned makes an error of what recover returned in the deferred function of a handler that has
// not returned. It is out of line, with the hook or without.
//
//go:noinline
func unreturned(recovered any) error {
	if hooks.Unwinding(recovered) {
		panic(recovered)
	}
	o := outcomeOf(recovered)
	if o.panicked != nil {
		return o.panicked
	}
	return ErrGoexit
}
