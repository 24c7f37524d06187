package soak

import (
	"context"
	"errors"

	"github.com/rouse-go/rouse/pool"
)

// Producers is the number of goroutines that call Go at the same time.
const Producers = 8

func goes(b *batch) {
	b.expect(b.n)
	s := b.env.p
	b.parallel(Producers, func(lo, hi int) {
		for i := lo; i < hi; i += 8 {
			end := min(i+8, hi)
			switch i / 8 % 8 {
			case 0:
				b.want("Pool.GoN", s.GoN(end-i, func(_ *pool.Worker, k int) { b.done(i + k) }), nil)
				s.injected.Add(int64(end - i))
			case 1:
				b.send(s, i, s.Go, func(w *pool.Worker) { b.children(w, i, end) })
			default:
				for k := i; k < end; k++ {
					b.send(s, k, s.Go, func(*pool.Worker) { b.done(k) })
				}
			}
		}
	})
	b.wait()
}

// children runs job lo, which starts jobs up to hi-1.
func (b *batch) children(w *pool.Worker, lo, hi int) {
	b.done(lo)
	for k := lo + 1; k < min(lo+3, hi); k++ {
		w.Go(func(*pool.Worker) { b.done(k) })
	}
	for k := lo + 3; k < min(lo+5, hi); k++ {
		w.GoFIFO(func(*pool.Worker) { b.done(k) })
	}
	if lo+5 < hi {
		w.GoN(hi-lo-5, func(_ *pool.Worker, k int) { b.done(lo + 5 + k) })
	}
}

func submits(b *batch) {
	b.parallel(4, func(lo, hi int) {
		for i := lo; i < hi; i += 32 {
			b.submit(b.env.p, i, min(i+32, hi))
		}
	})
}

// submit starts jobs lo to hi-1 with one context, which in every second call ends when three
// quarters of them are started, and in every fourth not before the first has run. Each future
// reports the outcome of its job.
func (b *batch) submit(s *subject, lo, hi int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cancels := lo/32%2 == 0
	futures := make([]*pool.Future[uint64], hi-lo)
	for i := range futures {
		if cancels && i == len(futures)*3/4 {
			if lo/32%4 == 0 && i > 0 {
				<-futures[0].Done()
			}
			cancel()
		}
		if ctx.Err() == nil {
			s.injected.Add(1)
		}
		futures[i] = pool.Submit(ctx, s.Pool, func(w *pool.Worker) (uint64, error) {
			if i%8 == 0 {
				return pool.Spawn(w, func(*pool.Worker) (uint64, error) { return b.work(lo + i), nil }).Await(w)
			}
			return b.work(lo + i), nil
		})
	}
	for i, f := range futures {
		value, err := f.Wait(context.Background())
		switch {
		case err == nil:
			if value != b.sum(lo+i, lo+i+1) {
				b.defect(WrongResult, "the future of job %d: %#x, want %#x", lo+i, value, b.sum(lo+i, lo+i+1))
			}
		case cancels && errors.Is(err, context.Canceled):
			b.reported[lo+i] = dropped
		default:
			b.reported[lo+i] = dropped
			b.defect(WrongResult, "the future of job %d: %v", lo+i, err)
		}
	}
}

// broadcasts has a job for each worker that a broadcast reaches; jobs that are too few for a broadcast
// are run by themselves.
func broadcasts(b *batch) {
	p, q := b.env.p, b.env.q
	at := 0
	for round := 0; ; round++ {
		s := p
		if round%4 == 3 {
			s = q
		}
		if at+s.Workers() > b.n {
			break
		}
		b.broadcast(s, round, at)
		at += s.Workers()
	}
	b.inside(p, func(w *pool.Worker) {
		for ; at < b.n; at++ {
			b.run(at)
		}
	})
}

func (b *batch) broadcast(s *subject, round, at int) {
	f := func(w *pool.Worker) {
		if w.Index() >= s.Workers() || w.Pool() != s.Pool {
			b.defect(WrongResult, "a broadcast to %s reaches worker %d of %s", s.Name(), w.Index(), w.Pool().Name())
			return
		}
		b.run(at + w.Index())
	}
	s.shares.Add(int64(s.Workers()))
	switch round % 4 {
	case 0:
		b.want("Pool.Broadcast", s.Broadcast(context.Background(), f), nil)
	case 1:
		b.expect(s.Workers())
		b.finished = make(chan struct{})
		b.want("Pool.GoBroadcast", s.GoBroadcast(func(w *pool.Worker) { f(w); b.forget() }), nil)
		b.wait()
	case 2:
		b.inside(s, func(w *pool.Worker) { w.Scope(func(sc *pool.Scope) { sc.GoBroadcast(f) }) })
	default:
		b.want("Worker.Broadcast", b.root(b.env.p, func(w *pool.Worker) error { return w.Broadcast(s.Pool, f) }), nil)
	}
}
