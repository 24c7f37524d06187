package pool

import (
	gocontext "context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// groupsWorkload: groups of jobs with errors, whose waiters, callers at the limit and workers depend on each other
// in every direction.
var groupsWorkload = workload{
	name: "groups",
	about: "Groups (Group), used again and again by outsiders (injectors), by jobs of the pool and by jobs of another pool, with and without a limit, " +
		"of jobs that block, run isolated, start others, and wait for groups of their own. When Wait returns, each job has run once; no more of them were " +
		"active than the limit allows; results come once, in order if that is wanted; the first that fails, by an error, a panic or a Goexit, is what Wait reports, and the cause of the context.",
	uses:     []string{"jobs", "injectors", "repeat", "pause"},
	defaults: sizes{jobs: 12, injectors: 3, repeat: 6, pause: defaultPause},
	small:    sizes{jobs: 2, injectors: 2, repeat: 2},
	spares:   sparesOfGroups,
	run: func(x *execution) {
		p, other := x.newPool(x.workers, pool.WithSpares(sparesOfGroups(x.sizes))), x.newPool(1)
		x.groups(p, other, newGroup)
		x.close(other)
		x.finish(p)
	},
}

// sparesOfGroups returns enough spares for groups both with and without a spare for each job that blocks.
func sparesOfGroups(s sizes) int { return min(s.injectors*s.jobs/2, maxBlocked) }

// A group holds the operations of a pool.Group that the workload uses.
type group struct {
	start    func(f func(w *pool.Worker) error)
	try      func(f func(w *pool.Worker) error) bool
	limit    func(n int)
	blocking func(blocking bool)
	wait     func() error
	waitOn   func(w *pool.Worker) error
	// results and unordered are iterators over the results of its jobs.
	results, unordered resultsOf
}

type resultsOf func(seq iter.Seq[int], f func(w *pool.Worker, v int) (int, error)) iter.Seq2[int, error]

func newGroup(p *pool.Pool) (group, gocontext.Context) {
	g, ctx := p.Group(gocontext.Background())
	return group{
		start: g.Go, try: g.TryGo, limit: g.SetLimit, blocking: g.SetBlocking, wait: g.Wait,
		waitOn: func(w *pool.Worker) error { return w.Wait(g) },
		results: func(seq iter.Seq[int], f func(w *pool.Worker, v int) (int, error)) iter.Seq2[int, error] {
			return pool.Results(g, seq, f)
		},
		unordered: func(seq iter.Seq[int], f func(w *pool.Worker, v int) (int, error)) iter.Seq2[int, error] {
			return pool.ResultsUnordered(g, seq, f)
		},
	}, ctx
}

// groups has outsiders use groups of p, made by make.
func (x *execution) groups(p, other *pool.Pool, make func(p *pool.Pool) (group, gocontext.Context)) {
	// A job that calls Goexit may run on top of a job that waits, and end it: then only outsiders wait.
	goexits := x.Rand("groups").IntN(3) == 0
	var outsiders subject.Crew
	for i := range x.sizes.injectors {
		name := fmt.Sprint("outsider ", i)
		outsiders.Start(name, func() {
			u := groupUse{x: x, r: x.Rand(name), p: p, make: make, goexits: goexits}
			u.g, u.ctx = make(p)
			for j := range x.sizes.repeat {
				x.pause(u.r)
				u.name = fmt.Sprintf("%s, round %d", name, j)
				u.round(other)
			}
		})
	}
	outsiders.Wait()
}

// A groupUse holds the state of one outsider's use of a group.
type groupUse struct {
	x       *execution
	r       *rand.Rand
	p       *pool.Pool
	make    func(p *pool.Pool) (group, gocontext.Context)
	goexits bool

	g       group
	ctx     gocontext.Context
	name    string
	limit   int // 0: no limit
	active  atomic.Int64
	ran     atomic.Int64 // jobs of this round
	spared  bool         // each of them is for a spare: the group blocks, and nothing is isolated
	waited  bool         // Wait has returned before, and so ended ctx
	fails   []failure    // of this round
	first   error        // of the first of all, once Wait has returned it
	panicks any          // the value with which Wait panics
}

// A failure describes how a job fails: with a token it panics.
type failure struct {
	err   error
	token *panicToken
}

// round starts jobs, and waits for them: outside, in a job of the pool or of the other one, or isolated.
func (u *groupUse) round(other *pool.Pool) {
	if failed := u.first != nil || u.panicks != nil; failed && u.r.IntN(2) == 0 {
		u.g, u.ctx = u.make(u.p)
		u.waited, u.first, u.panicks = false, nil, nil
	}
	u.limit = u.r.IntN(4)
	if u.limit > 0 {
		u.g.limit(u.limit)
	} else {
		u.g.limit(-1)
	}
	u.fails = nil
	u.ran.Store(0)
	jobs := u.x.open(u.name, u.x.sizes.jobs)
	where := u.r.IntN(4)
	if u.goexits {
		where = 0
	}
	blocks := u.r.IntN(3) == 0
	u.g.blocking(blocks)
	u.spared = blocks && where != 3
	var panicked any
	var err error
	switch where {
	case 0:
		u.start(jobs)
		if len(u.fails) > 0 && u.r.IntN(2) == 0 && int(u.ran.Load()) == len(jobs) {
			channel.Receive(u.ctx.Done()) // it ends before anything waits for the group
		}
		panicked, err = arrived(u.g.wait)
	case 1:
		panicked, err = u.in(u.p, func(*pool.Worker) error { u.start(jobs); return u.g.wait() })
	case 2:
		panicked, err = u.in(other, func(w *pool.Worker) error {
			u.start(jobs)
			return u.g.waitOn(w)
		})
	case 3:
		panicked, err = u.in(u.p, func(w *pool.Worker) (err error) {
			w.Isolated(func(*pool.Worker) { u.start(jobs); err = u.g.wait() })
			return err
		})
	}
	u.judge(jobs, panicked, err)
}

// in runs f in p.
func (u *groupUse) in(p *pool.Pool, f func(w *pool.Worker) error) (panicked any, err error) {
	return arrived(func() error { return p.Run(gocontext.Background(), f) })
}

// start starts the jobs. Up to two of them fail.
func (u *groupUse) start(jobs []entry) {
	a, b := u.r.IntN(2*len(jobs)), u.r.IntN(2*len(jobs))
	for i := range jobs {
		var f *failure
		if i == a || i == b {
			f = u.failure(jobs[i].name)
			u.fails = append(u.fails, *f)
		}
		job := u.job(&jobs[i], f)
		if u.r.IntN(3) == 0 {
			if u.g.try(job) {
				continue
			}
			if u.limit == 0 {
				u.x.Fail(verdict.WrongResult, "%s: TryGo has refused it, and there is no limit", jobs[i].name)
			}
		}
		u.g.start(job)
	}
}

// failure draws how a job fails.
func (u *groupUse) failure(name string) *failure {
	switch n := u.r.IntN(4); {
	case n == 0:
		return &failure{token: &panicToken{name}}
	case n == 1 && u.goexits:
		return &failure{err: pool.ErrGoexit}
	}
	return &failure{err: fmt.Errorf("the error of %s", name)}
}

// job returns a job that fails as fails says, or does not fail if that is nil.
func (u *groupUse) job(e *entry, fails *failure) func(w *pool.Worker) error {
	nests, starts, lingers := u.r.IntN(3) == 0 && !u.goexits, u.r.IntN(3) == 0, u.r.IntN(8) == 0
	how := collecting{collects: u.r.IntN(2) == 0, ordered: u.r.IntN(2) == 0, most: 1 + u.r.IntN(collected)}
	return func(w *pool.Worker) error {
		u.mustBeSpare(e.name, w)
		if n := u.active.Add(1); u.limit > 0 && n > int64(u.limit) {
			u.x.Fail(verdict.Invariant, "%s: %d jobs of its group are active, want at most %d", e.name, n, u.limit)
		}
		defer u.active.Add(-1)
		if lingers && u.limit > 0 && !u.x.Controlled() { // until there is one too many: schedules do that
			u.x.bestEffort(func() bool { return u.active.Load() > int64(u.limit) })
		}
		if starts { // at the limit, the place may be the caller's own
			more := u.x.open(e.name+", its further job", 1)
			u.g.start(func(*pool.Worker) error { more[0].ran(); return nil })
		}
		if nests && how.collects {
			u.collect(e.name, how)
		} else if nests {
			u.nest(e.name)
		}
		e.ran()
		u.ran.Add(1)
		switch {
		case fails == nil:
			return nil
		case fails.token != nil:
			panic(fails.token)
		case fails.err == pool.ErrGoexit:
			(&failingJob{}).fail()
		}
		return fails.err
	}
}

// mustBeSpare reports a failure if a job that is for a spare runs on a worker, and no spare has ever been missing.
func (u *groupUse) mustBeSpare(name string, w *pool.Worker) {
	if u.spared && w.Index() < u.p.Workers() && u.p.Stats().SparesMissing == 0 {
		u.x.Fail(verdict.WrongResult, "%s: runs on worker %d, though its group blocks and no spare was missing", name, w.Index())
	}
}

// nest waits for a group in a job.
func (u *groupUse) nest(name string) {
	g, _ := u.make(u.p)
	g.limit(1)
	jobs := u.x.open(name+", nested", 2)
	for i := range jobs {
		g.start(func(*pool.Worker) error { jobs[i].ran(); return nil })
	}
	if err := g.wait(); err != nil {
		u.x.Fail(verdict.WrongResult, "%s: its own group's Wait: %v", name, err)
	}
	u.allHaveRun(jobs)
}

// collected is the number of values that results are computed from.
const collected = 3

// collecting describes how a job collects results: in order or not, breaking after most of them.
type collecting struct {
	collects, ordered bool
	most              int
}

// collect ranges over the results of a group, in a job.
func (u *groupUse) collect(name string, how collecting) {
	g, _ := u.make(u.p)
	g.limit(1)
	results := g.unordered
	if how.ordered {
		results = g.results
	}
	var running atomic.Int64
	var got []int
	for v, err := range results(slices.Values([]int{0, 1, 2}), func(_ *pool.Worker, v int) (int, error) {
		running.Add(1)
		defer running.Add(-1)
		return v, nil
	}) {
		if err != nil {
			u.x.Fail(verdict.WrongResult, "%s: result %d: %v", name, v, err)
		}
		if got = append(got, v); len(got) == how.most {
			break
		}
	}
	if n := running.Load(); n != 0 {
		u.x.Fail(verdict.LostTask, "%s: %d jobs run behind the loop over their results", name, n)
	}
	sorted := slices.Sorted(slices.Values(got))
	if how.ordered && !slices.Equal(got, []int{0, 1, 2}[:how.most]) || len(slices.Compact(sorted)) != how.most {
		u.x.Fail(verdict.WrongResult, "%s: the first %d results are %v", name, how.most, got)
	}
	if _, err := arrived(g.wait); err != nil {
		u.x.Fail(verdict.WrongResult, "%s: Wait behind the results: %v", name, err)
	}
}

func (u *groupUse) allHaveRun(jobs []entry) {
	for i := range jobs {
		if jobs[i].runs.Load() == 0 {
			u.x.Fail(verdict.LostTask, "%s: its group's Wait has returned, and it has not run", jobs[i].name)
		}
	}
}

// judge checks what Wait has returned, or panicked with.
func (u *groupUse) judge(jobs []entry, panicked any, err error) {
	u.allHaveRun(jobs)
	if n := u.active.Load(); n != 0 {
		u.x.Fail(verdict.LostTask, "%s: Wait has returned, and %d jobs are active", u.name, n)
	}
	if e, ok := panicked.(*pool.PanicError); ok {
		panicked = e.Value
	}
	if u.panicks == nil && panicked != nil && u.failsWith(func(f failure) bool { return f.token == panicked }) {
		u.panicks = panicked
	}
	if panicked != u.panicks || panicked == nil && u.failsWith(func(f failure) bool { return f.token != nil }) {
		u.x.Fail(verdict.WrongResult, "%s: Wait panicked with %v, want the first panic of a job", u.name, panicked)
	}
	if cause := context.Cause(u.ctx); !u.waited {
		u.wantFirst("the cause of the context is", cause, errors.Is(cause, gocontext.Canceled))
	}
	u.waited = true
	if panicked != nil {
		return
	}
	if u.first == nil && u.failsWith(func(f failure) bool { return f.err == err }) {
		u.first = err
	}
	if err != u.first || err == nil && len(u.fails) > 0 {
		u.x.Fail(verdict.WrongResult, "%s: Wait = %v, want the first error of a job, %v", u.name, err, u.first)
	}
}

// wantFirst checks the effect of the first failure of the first round; none means that there was no failure.
func (u *groupUse) wantFirst(what string, err error, none bool) {
	var e *pool.PanicError
	if errors.As(err, &e) {
		err = nil
	}
	switch {
	case len(u.fails) == 0 && none:
	case u.failsWith(func(f failure) bool { return f.err == err && (f.token == nil || f.token == e.Value) }):
		u.first = err
	default:
		u.x.Fail(verdict.WrongResult, "%s: %s %v, which is no failure of a job of this round", u.name, what, err)
	}
}

// failsWith reports whether so is true of a failure of this round.
func (u *groupUse) failsWith(so func(f failure) bool) bool { return slices.ContainsFunc(u.fails, so) }
