package soak

import (
	"context"

	"github.com/rouse-go/rouse/pool"
)

// A span is some of a batch's jobs.
type span struct {
	b      *batch
	lo, hi int
}

func (s span) halves() (span, span) {
	mid := s.lo + (s.hi-s.lo)/2
	return span{s.b, s.lo, mid}, span{s.b, mid, s.hi}
}

var typed = pool.NewFn(func(fn *pool.Fn[span, uint64], w *pool.Worker, s span) uint64 {
	if s.hi-s.lo == 1 {
		return s.b.work(s.lo)
	}
	left, right := s.halves()
	x, y := fn.Join(w, left, right)
	return x + y
})

func free(w *pool.Worker, s span) uint64 {
	if s.hi-s.lo == 1 {
		return s.b.work(s.lo)
	}
	left, right := s.halves()
	x, y := pool.Join(w, free, left, right)
	return x + y
}

func closures(w *pool.Worker, s span) (sum uint64) {
	if s.hi-s.lo == 1 {
		return s.b.work(s.lo)
	}
	left, right := s.halves()
	var x, y uint64
	if s.lo&1 == 0 {
		w.Join(
			func(w *pool.Worker) { x = closures(w, left) },
			func(w *pool.Worker) { y = closures(w, right) },
		)
	} else {
		w.JoinContext(
			func(w *pool.Worker, migrated bool) {
				if migrated {
					s.b.defect(WrongResult, "the first half of a join has migrated")
				}
				x = closures(w, left)
			},
			func(w *pool.Worker, _ bool) { y = closures(w, right) },
		)
	}
	return x + y
}

func joinFn(b *batch)       { joins(b, typed.Call) }
func joinFree(b *batch)     { joins(b, free) }
func joinClosures(b *batch) { joins(b, closures) }

func joins(b *batch, tree func(w *pool.Worker, s span) uint64) {
	b.inside(b.env.p, func(w *pool.Worker) {
		b.wantSum("the sum by joins", tree(w, span{b, 0, b.n}), 0, b.n)
	})
}

func scopes(b *batch) {
	switch b.random.IntN(4) {
	case 0:
		b.inside(b.env.p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) { b.spread(s, w, 0, b.n) })
		})
	case 1:
		b.inside(b.env.p, func(w *pool.Worker) {
			w.ScopeFIFO(func(s *pool.Scope) { b.spread(s, w, 0, b.n) })
		})
	case 2:
		b.inPlace()
	default:
		b.cancelled(b.random.IntN(b.n))
	}
}

// spread starts jobs lo to hi-1: some by GoN, and others by jobs that start two.
func (b *batch) spread(s *pool.Scope, w *pool.Worker, lo, hi int) {
	half := lo + (hi-lo)/2
	s.GoN(w, half-lo, func(_ *pool.Worker, i int) { b.run(lo + i) })
	for i := half; i < hi; i += 3 {
		s.Go(w, func(w *pool.Worker) {
			b.run(i)
			for k := i + 1; k < min(i+3, hi); k++ {
				s.Go(w, func(*pool.Worker) { b.run(k) })
			}
		})
	}
}

// inPlace feeds the pool from the driver's goroutine.
func (b *batch) inPlace() {
	n := b.n / 4 // each of the others is started by one of these
	err := b.env.p.InPlaceScope(func(s *pool.Scope) {
		for i := range n {
			b.env.p.injected.Add(1)
			s.Go(nil, func(w *pool.Worker) {
				b.run(i)
				s.GoN(w, 3, func(_ *pool.Worker, k int) { b.run(n + 3*i + k) })
			})
		}
		for i := 4 * n; i < b.n; i++ {
			b.env.p.injected.Add(1)
			s.Go(nil, func(*pool.Worker) { b.run(i) })
		}
	})
	b.want("Pool.InPlaceScope", err, nil)
}

// cancelled ends the scope's context in job at. Jobs that have not begun by then are dropped, and
// ScopeContext reports them together.
func (b *batch) cancelled(at int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := b.root(b.env.p, func(w *pool.Worker) error {
		return w.ScopeContext(ctx, func(s *pool.Scope) {
			for i := range b.n {
				s.Go(w, func(*pool.Worker) {
					b.run(i)
					if i == at {
						cancel()
					}
				})
			}
		})
	})
	left := 0
	for i := range b.n {
		if b.ran[i].Load() == 0 && err != nil {
			b.reported[i] = dropped
			left++
		}
	}
	if err != nil {
		b.want("Worker.ScopeContext", err, context.Canceled)
		if left == 0 {
			b.defect(WrongResult, "ScopeContext reports that a job was dropped, and all have run")
		}
	}
}
