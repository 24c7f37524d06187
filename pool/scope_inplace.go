package pool

import "github.com/rouse-go/rouse/hooks"

// InPlaceScope is a scope whose body runs on the calling goroutine, while its jobs run in the pool
// (rayon's in_place_scope): for a body that is bound to its goroutine, or that feeds the pool from
// outside. body passes nil as the worker to Scope.Go.
//
// It is for outsiders and blocks the calling goroutine until body and all jobs are done; inside a
// job, use Worker.InPlaceScope: in a job of the same pool, outside Blocking, InPlaceScope panics
// with a *MisuseError (see there for jobs of other pools). Panics are as in Worker.Scope. If body
// or a job calls runtime.Goexit it returns ErrGoexit (if body has, the goroutine ends instead). If
// the pool is closed it returns ErrClosed, and body is not called.
func (p *Pool) InPlaceScope(body func(s *Scope)) error {
	p.outside("Pool.InPlaceScope", "Worker.InPlaceScope")
	return p.inPlaceScope(&Scope{pool: p}, body)
}

// InPlaceScopeFIFO is InPlaceScope with the order of Worker.ScopeFIFO.
func (p *Pool) InPlaceScopeFIFO(body func(s *Scope)) error {
	p.outside("Pool.InPlaceScopeFIFO", "Worker.InPlaceScope")
	return p.inPlaceScope(&Scope{pool: p, fifo: newFIFO(false)}, body)
}

func (p *Pool) inPlaceScope(s *Scope, body func(s *Scope)) error {
	if body == nil {
		return ErrNoFunction
	}
	if err := p.enter(); err != nil {
		return err
	}
	s.latch.Init(nil, 0)
	s.runOnCaller(body)
	return s.endings.outcome().result(nil)
}

// runOnCaller runs body and waits for the scope's jobs, however body ends.
func (s *Scope) runOnCaller(body func(s *Scope)) {
	returned := false
	defer func() {
		var o outcome
		if !returned {
			v := recover()
			if hooks.Unwinding(v) {
				panic(v)
			}
			o = outcomeOf(v)
		}
		s.ended(o)
		s.latch.Wait()
		s.pool.release()
	}()
	body(s)
	returned = true
}

// InPlaceScope is a scope whose body runs on w, while its jobs run in the other pool; body passes
// nil, or w, as the worker to Scope.Go. w runs its own pool's jobs while it waits. With w's own
// pool it is Worker.Scope. Panics are as there; if body or a job calls runtime.Goexit it returns
// ErrGoexit (if body has, every job on w's stack ends instead). If the other pool is closed it
// returns ErrClosed, and body is not called.
func (w *Worker) InPlaceScope(other *Pool, body func(s *Scope)) error {
	w.check("Worker.InPlaceScope")
	if body == nil {
		return ErrNoFunction
	}
	if other != w.pool {
		if err := other.enter(); err != nil {
			return err
		}
	}
	return w.scope(&Scope{pool: other}, body).result(nil)
}
