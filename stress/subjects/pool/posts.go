package pool

import (
	gocontext "context"
	"errors"
	"slices"
	gosync "sync"
	stdatomic "sync/atomic"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/pool"
)

// A postWay starts a job from outside, or several, of which the pool takes all or none.
type postWay struct {
	name    string
	bounded bool // there has to be room
	waits   bool // they have run when it returns nil
	// jobs returns the number of jobs in a pool with that many workers.
	jobs func(workers int) int
	post func(p *pool.Pool, f func(w *pool.Worker, i int)) error
}

func one(int) int { return 1 }

var postWays = []postWay{
	{name: "Go", bounded: true, jobs: one, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		return p.Go(func(w *pool.Worker) { f(w, 0) })
	}},
	{name: "TryGo", bounded: true, jobs: one, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		return p.TryGo(func(w *pool.Worker) { f(w, 0) })
	}},
	{name: "GoContext", bounded: true, jobs: one, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		ctx, end := context.WithCancel(gocontext.Background())
		return ending(end, func() error { return p.GoContext(ctx, func(w *pool.Worker) { f(w, 0) }) })
	}},
	{name: "GoN", bounded: true, jobs: func(int) int { return 3 }, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		return p.GoN(3, f)
	}},
	{name: "Run", bounded: true, waits: true, jobs: one, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		return p.Run(gocontext.Background(), func(w *pool.Worker) error { f(w, 0); return nil })
	}},
	{name: "Submit", bounded: true, waits: true, jobs: one, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		future := pool.Submit(gocontext.Background(), p, func(w *pool.Worker) (int, error) { f(w, 0); return 0, nil })
		_, err := future.Wait(gocontext.Background())
		return err
	}},
	{name: "InPlaceScope", waits: true, jobs: func(int) int { return 2 }, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		return p.InPlaceScope(func(s *pool.Scope) { s.GoN(nil, 2, f) })
	}},
	{name: "GoBroadcast", jobs: func(workers int) int { return workers }, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		return p.GoBroadcast(func(w *pool.Worker) { f(w, w.Index()) })
	}},
	{name: "Broadcast", waits: true, jobs: func(workers int) int { return workers }, post: func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
		return p.Broadcast(gocontext.Background(), func(w *pool.Worker) { f(w, w.Index()) })
	}},
}

// postsFrom returns the ways to post from a job of another pool, which waits for them.
func postsFrom(from *pool.Pool) []postWay {
	post := func(start func(w *pool.Worker, p *pool.Pool, f func(w *pool.Worker, i int)) error) func(*pool.Pool, func(*pool.Worker, int)) error {
		return func(p *pool.Pool, f func(w *pool.Worker, i int)) error {
			return from.Run(gocontext.Background(), func(w *pool.Worker) error { return start(w, p, f) })
		}
	}
	return []postWay{
		{name: "Worker.InPlaceScope", waits: true, jobs: func(int) int { return 2 }, post: post(func(w *pool.Worker, p *pool.Pool, f func(w *pool.Worker, i int)) error {
			return w.InPlaceScope(p, func(s *pool.Scope) { s.GoN(nil, 2, f) })
		})},
		{name: "Worker.Run", bounded: true, waits: true, jobs: one, post: post(func(w *pool.Worker, p *pool.Pool, f func(w *pool.Worker, i int)) error {
			return w.Run(p, func(w *pool.Worker) error { f(w, 0); return nil })
		})},
		{name: "Worker.Broadcast", waits: true, jobs: func(workers int) int { return workers }, post: post(func(w *pool.Worker, p *pool.Pool, f func(w *pool.Worker, i int)) error {
			return w.Broadcast(p, func(w *pool.Worker) { f(w, w.Index()) })
		})},
	}
}

// boundedOf returns the ways that wait for room, or refuse.
func boundedOf(ways []postWay) []postWay {
	return slices.DeleteFunc(slices.Clone(ways), func(way postWay) bool { return !way.bounded })
}

// A post is one call of a postWay: err is the pool's answer.
type post struct {
	jobs []entry // not the ledger's: a refused job must not run
	err  error
}

// posts holds the posts of an execution. The pool may refuse any of them.
type posts struct {
	mu  gosync.Mutex // never held over an operation of package hooks
	all []*post

	refused stdatomic.Bool // the pool has refused one because it is closed; the oracle's, which no engine is to see
}

// post starts jobs in a way, and returns the pool's answer.
func (q *posts) post(x *execution, p *pool.Pool, way *postWay, name string) error {
	made := &post{jobs: make([]entry, 2*way.jobs(p.Workers()))} // each starts another
	for i := range made.jobs {
		made.jobs[i].name = name + " by " + way.name
	}
	made.err = way.post(p, func(w *pool.Worker, i int) {
		w.Go(func(*pool.Worker) { made.jobs[2*i+1].ran() })
		made.jobs[2*i].ran()
	})
	q.mu.Lock()
	q.all = append(q.all, made)
	q.mu.Unlock()
	switch err := made.err; {
	case err == nil:
		for i := 0; way.waits && i < len(made.jobs); i += 2 {
			if made.jobs[i].runs.Load() == 0 {
				x.Fail(verdict.LostTask, "%s: it returned before its job had run", made.jobs[i].name)
			}
		}
	case errors.Is(err, pool.ErrFull) || errors.Is(err, gocontext.Canceled) || errors.Is(err, pool.ErrClosed):
	default:
		x.Fail(verdict.WrongResult, "%s by %s: %v", name, way.name, err)
	}
	return made.err
}

// judge checks, when the pool is closed, that all jobs that it took ran once, and no others.
func (q *posts) judge(x *execution) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, made := range q.all {
		for i := range made.jobs {
			e := &made.jobs[i]
			switch n := e.runs.Load(); {
			case made.err != nil && n > 0:
				x.Fail(verdict.WrongResult, "%s: the pool refused it (%v), and it ran", e.name, made.err)
			case made.err == nil && n == 0:
				x.Fail(verdict.LostTask, "%s: the pool took it, and it never ran", e.name)
			case n > 1:
				x.Fail(verdict.DuplicateTask, "%s ran %d times", e.name, n)
			}
		}
	}
}
