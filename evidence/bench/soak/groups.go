package soak

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/rouse-go/rouse/pool"
)

// groupSize is the most jobs of a group.
const groupSize = 32

// groups has 8 goroutines use groups of the batch's own pool, which has spares for some, for
// all, or for none of the blocking jobs.
func groups(b *batch) {
	b.caught = newLedger(b.n)
	spares := []int{0, 2, Producers * groupSize}
	s := b.openPool(1+b.random.IntN(4), pool.WithName("groups"), pool.WithSpares(spares[b.random.IntN(len(spares))]))
	seed := b.random.Uint64()
	b.parallel(Producers, func(lo, hi int) {
		r := rand.New(rand.NewPCG(seed, uint64(lo)))
		for i := lo; i < hi; i += groupSize {
			b.group(s, r, i, min(i+groupSize, hi))
		}
	})
	b.closePool(s)
}

// A groupUse is a group whose jobs are jobs lo to hi-1 of a batch. One of them may fail.
type groupUse struct {
	b      *batch
	s      *subject
	lo, hi int
	g      *pool.Group
	ctx    context.Context

	limit    int // 0: no limit
	blocking bool
	failing  int   // the job that fails; -1: no job
	err      error // that it returns; nil: it panics
	heeds    bool  // the others do not run when the context has ended
}

// group uses a group once: outside, in a job, or isolated.
func (b *batch) group(s *subject, r *rand.Rand, lo, hi int) {
	g, ctx := s.Group(context.Background())
	u := &groupUse{b: b, s: s, lo: lo, hi: hi, g: g, ctx: ctx,
		limit: r.IntN(4), blocking: r.IntN(3) == 0, failing: -1, heeds: r.IntN(2) == 0}
	if u.limit > 0 {
		g.SetLimit(u.limit)
	}
	g.SetBlocking(u.blocking)
	s.grouped.Add(int64(hi - lo))
	collects, most := r.IntN(4) == 0, hi-lo
	if collects && r.IntN(2) == 0 {
		most = 1 + r.IntN(hi-lo)
	}
	if !collects && r.IntN(2) == 0 {
		u.failing = lo + r.IntN(hi-lo)
		if r.IntN(2) == 0 {
			u.err = fmt.Errorf("the error of job %d", u.failing)
		} else {
			b.caught.reported[u.failing] = 1
		}
	}
	use := u.wait
	if collects {
		use = func() { u.collect(most, r) }
	}
	switch r.IntN(3) {
	case 0:
		use()
	case 1:
		b.inside(s, func(*pool.Worker) { use() })
	default:
		b.inside(s, func(w *pool.Worker) { w.Isolated(func(*pool.Worker) { use() }) })
	}
	if u.failing >= 0 || most < hi-lo {
		return
	}
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		b.defect(WrongResult, "the context of a group that has not failed: %v", err)
	}
}

// wait starts the jobs, of which every eighth starts the next one, and waits for them.
func (u *groupUse) wait() {
	for i := u.lo; i < u.hi; i++ {
		f := u.job(i)
		if i%8 == 0 && i+1 < u.hi {
			first, second := f, u.job(i+1)
			i++
			f = func(w *pool.Worker) error {
				u.g.Go(second)
				return first(w)
			}
		}
		if i%3 > 0 || !u.g.TryGo(f) {
			u.g.Go(f)
		}
	}
	err := u.result()
	u.b.want("Group.Wait", err, u.err)
	if u.err != nil {
		u.b.want("the cause of the context of a group", context.Cause(u.ctx), u.err)
	}
}

// result waits for the group. Only the panic of a job is caught.
func (u *groupUse) result() error {
	if u.failing >= 0 && u.err == nil {
		defer func() { u.b.catch(recover()) }()
	}
	return u.g.Wait()
}

// job returns job i.
func (u *groupUse) job(i int) func(w *pool.Worker) error {
	return func(*pool.Worker) error {
		if u.heeds && i != u.failing && u.ctx.Err() != nil {
			u.b.reported[i] = dropped
			return nil
		}
		if u.blocking {
			block()
		}
		u.b.run(i)
		switch {
		case i != u.failing:
			return nil
		case u.err == nil:
			panic(mishap{u.b, i})
		}
		return u.err
	}
}

// block blocks until another goroutine has run.
func block() {
	released := make(chan struct{})
	go close(released)
	<-released
}

// collect has the jobs return results, and takes up to most of them. Jobs that have not run then were dropped.
func (u *groupUse) collect(most int, r *rand.Rand) {
	job := func(_ *pool.Worker, i int) (uint64, error) {
		if u.blocking {
			block()
		}
		return u.b.work(i), nil
	}
	results, ordered := pool.ResultsUnordered(u.g, u.numbers(), job), r.IntN(2) == 0
	if ordered {
		results = pool.Results(u.g, u.numbers(), job)
	}
	n, sum := 0, uint64(0)
	for v, err := range results {
		u.b.want("a result of a group", err, nil)
		sum += v
		if n++; n == most {
			break
		}
	}
	if n != most {
		u.b.defect(WrongResult, "%d results of a group, want %d", n, most)
	}
	if ordered || most == u.hi-u.lo {
		u.b.wantSum("the sum of the results", sum, u.lo, u.lo+most)
	}
	u.b.want("Group.Wait behind results", u.g.Wait(), nil)
	for i := u.lo; i < u.hi && most < u.hi-u.lo; i++ {
		if u.b.ran[i].Load() == 0 {
			u.b.reported[i] = dropped
		}
	}
}

func (u *groupUse) numbers() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := u.lo; i < u.hi; i++ {
			if !yield(i) {
				return
			}
		}
	}
}
