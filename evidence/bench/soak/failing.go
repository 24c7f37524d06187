package soak

import (
	"context"
	"errors"
	"runtime"

	"github.com/rouse-go/rouse/pool"
)

// A mishap is the value that jobs panic with.
type mishap struct {
	b *batch
	i int
}

// catch notes the panic of a job, v as recovered, and reports any other.
func (b *batch) catch(v any) {
	if inner, ok := v.(*pool.PanicError); ok {
		v = inner.Value
	}
	if m, ok := v.(mishap); ok {
		m.b.caught.run(m.i)
	} else {
		b.defect(WrongResult, "a panic of no job: %v", v)
	}
}

// panics has four ways to panic, in turn. Where a panic is caught once for several jobs, one of
// them panics.
func panics(b *batch) {
	b.caught = newLedger(b.n)
	s := b.env.p
	b.expect((b.n + 3) / 4) // those of Go
	for i := 0; i < b.n; i += 4 {
		b.caught.reported[i] = 1
		b.send(s, i, s.Go, func(*pool.Worker) { b.run(i); panic(mishap{b, i}) })
		if i+1 < b.n {
			b.panicInside(i+1, min(i+3, b.n))
		}
		if i+3 < b.n {
			b.panicInFuture(i + 3)
		}
	}
	b.wait()
}

// handle is the panic handler: it gets the panics of jobs that nothing waits for.
func (e *env) handle(err *pool.PanicError) {
	m, ok := err.Value.(mishap)
	if !ok {
		e.report(Defect{What: WrongResult, Detail: "a panic of no job: " + err.Error()})
		return
	}
	m.b.caught.run(m.i)
	m.b.forget()
}

// panicInside panics in job lo, in parallel with job lo+1 if that is below hi.
func (b *batch) panicInside(lo, hi int) {
	b.caught.reported[lo] = 1
	b.inside(b.env.p, func(w *pool.Worker) {
		defer func() { b.catch(recover()) }()
		fail := func(*pool.Worker) { b.run(lo); panic(mishap{b, lo}) }
		other := func(*pool.Worker) {
			if lo+1 < hi {
				b.run(lo + 1)
			}
		}
		switch lo / 4 % 3 {
		case 0:
			w.Scope(func(s *pool.Scope) { s.Go(w, fail); s.Go(w, other) })
		case 1:
			w.Scope(func(*pool.Scope) { w.Join(fail, other) }) // the scope ends when other has
		default:
			w.Join(other, fail)
		}
	})
}

func (b *batch) panicInFuture(i int) {
	b.caught.reported[i] = 1
	b.env.p.injected.Add(1)
	f := pool.Submit(context.Background(), b.env.p.Pool, func(*pool.Worker) (int, error) {
		b.run(i)
		panic(mishap{b, i})
	})
	func() {
		defer func() { b.catch(recover()) }()
		_, err := f.Wait(context.Background())
		b.defect(WrongResult, "the future of job %d, which panics: %v", i, err)
	}()
}

// goexits has a pool for itself, since a Goexit ends every job on its stack: jobs of other kinds
// would not survive it. All jobs run nevertheless.
func goexits(b *batch) {
	s := b.env.exits
	b.expect((b.n + 3) / 4) // those of Go
	exit := func() { b.exited.Add(1); runtime.Goexit() }
	for i := 0; i < b.n; i += 4 {
		b.send(s, i, s.Go, func(*pool.Worker) { defer b.done(i); exit() })
		if i+1 < b.n {
			b.exitInside(s, i+1, min(i+3, b.n), exit)
		}
		if i+3 < b.n {
			s.injected.Add(1)
			f := pool.Submit(context.Background(), s.Pool, func(*pool.Worker) (int, error) { b.run(i + 3); exit(); return 0, nil })
			_, err := f.Wait(context.Background())
			b.want("the future of a job that calls Goexit", err, pool.ErrGoexit)
		}
	}
	b.wait()
}

// exitInside waits in a scope for job lo, which calls Goexit, and lo+1 if that is below hi. The
// waiter is ended if it runs job lo itself, or another worker has.
func (b *batch) exitInside(s *subject, lo, hi int, exit func()) {
	err := b.root(s, func(w *pool.Worker) error {
		w.Scope(func(sc *pool.Scope) {
			sc.Go(w, func(*pool.Worker) { b.run(lo); exit() })
			if lo+1 < hi {
				sc.Go(w, func(*pool.Worker) { b.run(lo + 1) })
			}
		})
		return errors.New("it has returned")
	})
	b.want("Pool.Run of a scope in which a job calls Goexit", err, pool.ErrGoexit)
}

// blockings blocks in one job until the next has run: a spare worker takes the place of the first.
// Few pairs are in flight at a time, or no spare would be left.
func blockings(b *batch) {
	const atOnce = 4
	s := b.env.q
	for lo := 0; lo < b.n; lo += 2 * atOnce {
		hi := min(lo+2*atOnce, b.n)
		b.expect(hi - lo)
		b.finished = make(chan struct{})
		for i := lo; i < hi; i += 2 {
			released := make(chan struct{})
			if i+1 == hi {
				close(released)
			}
			b.send(s, i, s.Go, func(w *pool.Worker) {
				w.Blocking(func() { <-released })
				b.done(i)
			})
			if i+1 < hi {
				b.send(s, i+1, s.Go, func(*pool.Worker) { defer b.done(i + 1); close(released) })
			}
		}
		b.wait()
	}
}
