//go:build chaos

package pool

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/forkjoin"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// Each check of a workload has a positive control: the workload runs with an operation that has the
// defect in the place of the pool's.

// withDefect executes the workload with run in its place, once natively and some times under control,
// and wants the verdict, and a summary with each of the words.
func withDefect(t *testing.T, w workload, run func(x *execution, p *pool.Pool), want verdict.Verdict, words ...string) {
	t.Helper()
	w.run = func(x *execution) {
		p := x.newPool(x.workers)
		run(x, p)
		x.finish(p)
	}
	fails(t, w, want, words...)
}

// fails is withDefect of a workload that has the defect.
func fails(t *testing.T, w workload, want verdict.Verdict, words ...string) {
	t.Helper()
	if w.defaults.pause > defaultPause {
		w.defaults.pause = defaultPause
	}
	sc := parallel(t, w, 2)
	wantVerdict(t, executed(&sc, w, 0), want, words...)
	controlled := tiny(w, "random", 2)
	wantVerdict(t, explored(t, &controlled, w, 100), want, words...)
}

// oncePosted forgets the first job that is posted, or runs it twice.
func oncePosted(p *pool.Pool, times int) func(f func(w *pool.Worker)) error {
	first := true
	return func(f func(w *pool.Worker)) error {
		if !first {
			return p.Go(f)
		}
		first = false
		for range times {
			if err := p.Go(f); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestTrickleSeesItsJobs(t *testing.T) {
	withDefect(t, trickleWorkload, func(x *execution, p *pool.Pool) { x.trickle(oncePosted(p, 0)) },
		verdict.LostTask, "outsider, job 0 never ran")
	withDefect(t, trickleWorkload, func(x *execution, p *pool.Pool) { x.trickle(oncePosted(p, 2)) },
		verdict.DuplicateTask, "outsider, job 0 ran 2 times")
}

func TestWakeupsSeeTheirJobs(t *testing.T) {
	withDefect(t, wakeupsWorkload, func(x *execution, p *pool.Pool) { x.wakeups(p, oncePosted(p, 0), p.Counters) },
		verdict.LostTask, "outsider, job 0 never ran")
	withDefect(t, wakeupsWorkload, func(x *execution, p *pool.Pool) { x.wakeups(p, oncePosted(p, 2), p.Counters) },
		verdict.DuplicateTask, "outsider, job 0 ran 2 times")
}

// TestWakeupsNeedTheirPosts: a job that is posted while one worker is busy, and all others sleep, comes to none.
func TestWakeupsNeedTheirPosts(t *testing.T) {
	w := wakeupsWorkload
	w.run = func(x *execution) {
		p := x.newPool(x.workers)
		x.wakeups(p, func(f func(w *pool.Worker)) error {
			if p.Counters().Sleeping == p.Workers()-1 {
				return nil
			}
			return p.Go(f)
		}, p.Counters)
		x.close(p)
	}
	sc := tiny(w, "random", 2)
	wantVerdict(t, explored(t, &sc, w, 100), verdict.Deadlock, "main waits to be woken", "wakeups")
}

// TestWakeupsSeeWhoCountsAsAsleep: the counter never goes down. RFC 5's may lag behind.
func TestWakeupsSeeWhoCountsAsAsleep(t *testing.T) {
	stale := func(x *execution, p *pool.Pool) {
		slept := false
		x.wakeups(p, p.Go, func() sleep.Counters {
			c := p.Counters()
			if slept = slept || c.Sleeping == p.Workers(); slept {
				c.Sleeping = p.Workers()
			}
			return c
		})
	}
	withDefect(t, wakeupsWorkload, stale, verdict.Invariant, "it has been posted and has not run, and by the counters all 2 workers sleep")
	w := wakeupsWorkload
	w.run = func(x *execution) {
		p := x.newPool(x.workers)
		stale(x, p)
		x.finish(p)
	}
	sc := parallel(t, w, 2)
	sc.Variant = "rfc5"
	wantVerdict(t, executed(&sc, w, 0), verdict.Pass)
}

// TestTrickleSleepsInBetween: what makes it a trickle is that the pool comes to rest; under
// control it always does, and the hundred pauses take no time.
func TestTrickleSleepsInBetween(t *testing.T) {
	w := trickleWorkload
	w.small = w.defaults
	w.run = func(x *execution) {
		p := x.newPool(x.workers)
		x.trickle(p.Go)
		if s := p.Stats(); s.Sleeps < 100 {
			x.Fail(verdict.WrongResult, "its workers fell asleep %d times", s.Sleeps)
		}
		x.finish(p)
	}
	sc := tiny(w, "random", 1)
	wantVerdict(t, explored(t, &sc, w, 20), verdict.Pass)
}

func TestIncrementAllSeesItsElements(t *testing.T) {
	for _, c := range []struct {
		verdict verdict.Verdict
		says    string
		loop    rangeLoop
	}{
		{verdict.LostTask, "was incremented 0 times", func(w *pool.Worker, n int, body func(w *pool.Worker, lo, hi int), opts ...pool.LoopOption) {
			pool.ForRange(w, n-1, body, opts...)
		}},
		{verdict.DuplicateTask, "element 0 of", func(w *pool.Worker, n int, body func(w *pool.Worker, lo, hi int), opts ...pool.LoopOption) {
			body(w, 0, 1)
			pool.ForRange(w, n, body, opts...)
		}},
		{verdict.WrongResult, "elements, want at most", func(w *pool.Worker, n int, body func(w *pool.Worker, lo, hi int), _ ...pool.LoopOption) {
			body(w, 0, n)
		}},
	} {
		withDefect(t, incrementWorkload, func(x *execution, p *pool.Pool) { x.incrementAll(p, c.loop) }, c.verdict, c.says)
	}
}

// TestNbodySeesEveryBit: also another order of the same sum, which no tolerance would see.
func TestNbodySeesEveryBit(t *testing.T) {
	half := func(w *pool.Worker, f func(w *pool.Worker, s span) vector, a, b span) (vector, vector) {
		left, _ := pool.Join(w, f, a, b)
		return left, vector{}
	}
	withDefect(t, nbodyWorkload, func(x *execution, p *pool.Pool) { x.nbody(p, pool.For, half) }, verdict.WrongResult, "tick 0: body 0")
	short := func(w *pool.Worker, n int, body func(w *pool.Worker, i int), opts ...pool.LoopOption) {
		pool.For(w, n-1, body, opts...)
	}
	withDefect(t, nbodyWorkload, func(x *execution, p *pool.Pool) { x.nbody(p, short, pool.Join[span, vector]) }, verdict.WrongResult, "tick 0: body")
	regrouped := func(w *pool.Worker, f func(w *pool.Worker, s span) vector, a, b span) (vector, vector) {
		if a.hi-a.lo > 2 {
			a.hi, b.lo = a.hi-1, b.lo-1
		}
		return pool.Join(w, f, a, b)
	}
	many := nbodyWorkload
	many.small = sizes{jobs: 12, leaf: 2, repeat: 2}
	withDefect(t, many, func(x *execution, p *pool.Pool) { x.nbody(p, pool.For, regrouped) }, verdict.WrongResult, "tick ")
}

func TestStormSeesItsJobs(t *testing.T) {
	only := func(waits bool, post func(p *pool.Pool, batch []entry) error) func(x *execution, p *pool.Pool) {
		return func(x *execution, p *pool.Pool) { x.storm(p, []wayToPost{{"planted", waits, post}}) }
	}
	withDefect(t, stormWorkload, only(false, func(p *pool.Pool, batch []entry) error {
		return p.GoN(len(batch)-1, func(_ *pool.Worker, i int) { batch[i].ran() })
	}), verdict.LostTask, "never ran")
	withDefect(t, stormWorkload, only(false, func(p *pool.Pool, batch []entry) error {
		return p.GoN(len(batch)+1, func(_ *pool.Worker, i int) { batch[i/2].ran() })
	}), verdict.DuplicateTask, "ran 2 times")
	withDefect(t, stormWorkload, only(true, func(p *pool.Pool, batch []entry) error { // claims to wait, and does not
		return p.Go(func(*pool.Worker) {
			for range 50 {
				hooks.Gosched()
			}
			for i := range batch {
				batch[i].ran()
			}
		})
	}), verdict.LostTask, "returned before it had run")
}

func TestCrowdSeesItsJobs(t *testing.T) {
	withDefect(t, crowdWorkload, func(x *execution, p *pool.Pool) {
		x.crowd(p, p.Go, func(w *pool.Worker, leaves []entry) int {
			return joinLeaves(w, leaves[1:])
		})
	}, verdict.LostTask, "join, job 0 never ran")
	withDefect(t, crowdWorkload, func(x *execution, p *pool.Pool) {
		x.crowd(p, p.Go, func(w *pool.Worker, leaves []entry) int {
			return joinLeaves(w, leaves) + 1
		})
	}, verdict.WrongResult, "leaves, there are")
}

// TestCrowdOfAWorkerTooFew: jobs that have to meet, and a worker less than there are of them.
func TestCrowdOfAWorkerTooFew(t *testing.T) {
	release, gone := make(chan struct{}), make(chan struct{})
	w := crowdWorkload
	w.run = func(x *execution) {
		p := x.newPool(x.workers)
		p.Go(func(*pool.Worker) { <-release; close(gone) })
		x.crowd(p, p.Go, joinLeaves)
		x.finish(p)
	}
	sc := parallel(t, w, 8)
	runner := runs(w)
	runner.Timeout = 10 * time.Second
	r := runner.Execute(&sc, 1, 0, func() {})
	close(release)
	<-gone
	if r.Verdict == verdict.Pass || !strings.Contains(r.Summary, "not run: meeting 0, job 0") {
		t.Errorf("%s: %s", r.Verdict, r.Summary)
	}
}

func TestBlockingNeedsSpares(t *testing.T) {
	w := blockingWorkload
	w.defaults.repeat = 1
	w.run = func(x *execution) {
		p := x.newPool(x.workers, pool.WithSpares(x.sizes.jobs-x.workers-1)) // one too few
		x.blocking(p, (*pool.Worker).Blocking)
		x.finish(p)
	}
	sc := tiny(w, "random", 1)
	w.small.jobs = 3
	wantStuck(t, explored(t, &sc, w, 100))
}

// wantStuck wants a deadlock that names the jobs that wait for each other: they occupy all workers.
func wantStuck(t *testing.T, r outcome.Result) {
	t.Helper()
	if r.Verdict != verdict.Deadlock || !strings.Contains(r.Summary, "waits to be woken, after sync/waitgroup-wait in pool.(*meeting).attend") {
		t.Errorf("%s: %s\n%s", r.Verdict, r.Summary, r.State)
	}
}

// TestBlockingNeedsToSaySo: a job that blocks without Worker.Blocking gets no spare, and keeps its worker.
func TestBlockingNeedsToSaySo(t *testing.T) {
	w := blockingWorkload
	w.run = func(x *execution) {
		p := x.newPool(x.workers)
		x.blocking(p, func(_ *pool.Worker, f func()) { f() })
		x.finish(p)
	}
	sc := tiny(w, "random", 1)
	wantStuck(t, explored(t, &sc, w, 100))
}

func TestPanicsSeesWhatArrives(t *testing.T) {
	for _, c := range []struct {
		verdict verdict.Verdict
		says    string
		way     wayToFail
	}{
		{verdict.WrongResult, "nothing: the job ", wayToFail{name: "nothing", fail: func(*pool.Pool, *failingJob) (any, error) {
			return nil, nil
		}}},
		{verdict.WrongResult, "another: the job ", wayToFail{name: "another", fail: func(p *pool.Pool, _ *failingJob) (any, error) {
			return runIn(p, func(*pool.Worker) { panic(&panicToken{"another"}) })
		}}},
		{verdict.LostTask, "half: its waiter was notified before with a failing job of half, job 1", wayToFail{name: "half", others: 2, fail: func(p *pool.Pool, f *failingJob) (any, error) {
			return runIn(p, func(*pool.Worker) { f.others[0].ran(); f.fail() })
		}}},
		{verdict.DuplicateTask, "with a failing job of twice, job 0 ran 2 times", wayToFail{name: "twice", others: 1, fail: func(p *pool.Pool, f *failingJob) (any, error) {
			return runIn(p, func(*pool.Worker) { f.others[0].ran(); f.others[0].ran(); f.fail() })
		}}},
	} {
		w := panicsWorkload
		w.run = func(x *execution) {
			var handled handler
			p := x.newPool(x.workers, pool.WithPanicHandler(handled.panicked))
			x.panics(p, &handled, []wayToFail{c.way})
			x.close(p)
			handled.judge(x)
		}
		fails(t, w, c.verdict, c.says)
	}
}

// TestPanicsSeesAPanicThatIsGivenUp: the waiter is not there any more, and the handler does not get it.
func TestPanicsSeesAPanicThatIsGivenUp(t *testing.T) {
	var handled handler
	w := panicsWorkload
	w.run = func(x *execution) {
		handled = handler{}
		p := x.newPool(x.workers, pool.WithPanicHandler(func(*pool.PanicError) {}))
		x.failing(p, &wayToFail{name: "planted", givesUp: true, fail: func(p *pool.Pool, f *failingJob) (any, error) {
			return nil, errors.Join(context.Canceled, p.Go(func(*pool.Worker) { f.fail() }))
		}}, &failingJob{token: &panicToken{"planted"}}, &handled, false)
		x.close(p)
		handled.judge(x)
	}
	fails(t, w, verdict.WrongResult, "the panic of planted, which has no waiter, came to the panic handler 0 times, want once")
}

// TestPanicsSeesTheHandler: the panic of a job without a waiter comes to it once.
func TestPanicsSeesTheHandler(t *testing.T) {
	for times, says := range map[int]string{0: "came to the panic handler 0 times", 2: "came to the panic handler 2 times"} {
		w := panicsWorkload
		w.run = func(x *execution) {
			var handled handler
			p := x.newPool(x.workers, pool.WithPanicHandler(func(e *pool.PanicError) {
				for range times {
					handled.panicked(e)
				}
			}))
			x.panics(p, &handled, nil)
			x.close(p)
			handled.judge(x)
		}
		w.defaults.jobs = 10
		for n := range 6 { // in some, all call Goexit
			sc := parallel(t, w, 2)
			if r := executed(&sc, w, n); r.Verdict != verdict.Pass {
				wantVerdict(t, r, verdict.WrongResult, says)
				says = ""
			}
		}
		if says != "" {
			t.Errorf("no execution failed: want %q", says)
		}
	}
	w := panicsWorkload
	w.run = func(x *execution) {
		var handled handler
		p := x.newPool(x.workers, pool.WithPanicHandler(handled.panicked))
		p.Go(func(*pool.Worker) { panic(&panicToken{"a job that is not expected"}) })
		x.close(p)
		handled.judge(x)
	}
	fails(t, w, verdict.WrongResult, "1 panics with a waiter came to the panic handler")
}

// TestPanicsSeesAWorkerLess: after a Goexit as many are at work as before.
func TestPanicsSeesAWorkerLess(t *testing.T) {
	w := panicsWorkload
	w.run = func(x *execution) {
		p := x.newPool(x.workers)
		var never sync.WaitGroup
		never.Add(1)
		p.Go(func(*pool.Worker) { never.Wait() })
		x.working(p)
	}
	sc := tiny(w, "random", 2)
	if r := explored(t, &sc, w, 1); r.Verdict == verdict.Pass {
		t.Error("the missing worker was not reported")
	}
}

func TestProgramsAreComparedWithWhatTheyMean(t *testing.T) {
	w := programWorkload
	w.run = func(x *execution) { x.programs((*forkjoin.Node).Lie) }
	fails(t, w, verdict.WrongResult, "value ", "in ")
}

// TestCancelSeesWhatBecomesOfJobs: each defect is in a Run.
func TestCancelSeesWhatBecomesOfJobs(t *testing.T) {
	for _, c := range []struct {
		verdict verdict.Verdict
		says    string
		way     wayToGiveUp
	}{
		{verdict.LostTask, "planted has returned, with the error <nil>, and the job has not run", wayToGiveUp{start: func(ctx context.Context, p *pool.Pool, jobs []entry) error {
			return p.Run(context.Background(), func(*pool.Worker) error { allRan(jobs[1:]); return nil })
		}}},
		{verdict.DuplicateTask, "ran 2 times", wayToGiveUp{start: func(ctx context.Context, p *pool.Pool, jobs []entry) error {
			return p.Run(context.Background(), func(*pool.Worker) error { allRan(jobs); allRan(jobs[:1]); return nil })
		}}},
		{verdict.WrongResult, "planted reports dropped jobs, and all have run", wayToGiveUp{knows: true, start: func(ctx context.Context, p *pool.Pool, jobs []entry) error {
			allRan(jobs)
			return context.Canceled
		}}},
		{verdict.LostTask, "planted has returned, with the error context canceled, and the job has not run", wayToGiveUp{persists: true, start: func(context.Context, *pool.Pool, []entry) error {
			return context.Canceled
		}}},
		{verdict.WrongResult, "planted: pool: closed", wayToGiveUp{start: func(context.Context, *pool.Pool, []entry) error { return pool.ErrClosed }}},
	} {
		c.way.name = "planted"
		withDefect(t, cancelWorkload, func(x *execution, p *pool.Pool) { x.cancel(p, []wayToGiveUp{c.way}) }, c.verdict, c.says)
	}
}

func TestChurnSeesWhatCloseLeaves(t *testing.T) {
	type (
		posts = func(p *pool.Pool, f func(w *pool.Worker)) error
		runs  = func(p *pool.Pool, ctx context.Context, f func(w *pool.Worker) error) error
		ends  = func(p *pool.Pool, ctx context.Context) error
	)
	taken := func(err error) error { // a closed pool says that it takes a job
		if errors.Is(err, pool.ErrClosed) {
			return nil
		}
		return err
	}
	for name, c := range map[string]struct {
		verdict verdict.Verdict
		says    string
		plant   func(post *posts, run *runs, end *ends)
	}{
		"a Go that is late": {verdict.WrongResult, "Go on a closed pool: <nil>", func(post *posts, _ *runs, _ *ends) {
			*post = func(p *pool.Pool, f func(w *pool.Worker)) error { return taken(p.Go(f)) }
		}},
		"a Run that is late": {verdict.WrongResult, "Run on a closed pool: <nil>", func(_ *posts, run *runs, _ *ends) {
			*run = func(p *pool.Pool, ctx context.Context, f func(w *pool.Worker) error) error {
				return taken(p.Run(ctx, f))
			}
		}},
		"a Go that is refused": {verdict.WrongResult, "job 0: Go: " + pool.ErrClosed.Error(), func(post *posts, _ *runs, _ *ends) {
			*post = func(p *pool.Pool, f func(w *pool.Worker)) error { p.Go(f); return pool.ErrClosed }
		}},
		"a job that is forgotten": {verdict.LostTask, "job 0 never ran", func(post *posts, _ *runs, end *ends) {
			*post = func(p *pool.Pool, f func(w *pool.Worker)) error { return p.Go(func(*pool.Worker) {}) }
		}},
		"a job that is run twice": {verdict.DuplicateTask, "job 0 ran 2 times", func(post *posts, _ *runs, end *ends) {
			*post = func(p *pool.Pool, f func(w *pool.Worker)) error {
				return p.Go(func(w *pool.Worker) { f(w); f(w) })
			}
		}},
		"a Close that does not wait": {verdict.Invariant, "the pool is closed and has ", func(_ *posts, _ *runs, end *ends) {
			var late sync.Mutex
			first := map[*pool.Pool]bool{}
			*end = func(p *pool.Pool, ctx context.Context) error {
				late.Lock()
				was := first[p]
				first[p] = true
				late.Unlock()
				if !was {
					return nil
				}
				return p.Close(ctx)
			}
		}},
		"a Close that complains": {verdict.WrongResult, "Close: " + context.Canceled.Error(), func(_ *posts, _ *runs, end *ends) {
			*end = func(p *pool.Pool, ctx context.Context) error { p.Close(ctx); return context.Canceled }
		}},
	} {
		w := churnWorkload
		w.run = func(x *execution) {
			post, run, end := (*pool.Pool).Go, (*pool.Pool).Run, (*pool.Pool).Close
			c.plant(&post, &run, &end)
			x.churn(post, run, end)
		}
		t.Run(name, func(t *testing.T) { fails(t, w, c.verdict, c.says) })
	}
}

func TestMutualSeesItsHops(t *testing.T) {
	for name, c := range map[string]struct {
		verdict verdict.Verdict
		says    string
		cross   crossing
	}{
		"a crossing that does not happen": {verdict.LostTask, "Run returned before the hop had run", func(*pool.Worker, *pool.Pool, func(w *pool.Worker) error) error {
			return errLastHop
		}},
		"a crossing that stays here": {verdict.WrongResult, "runs in ", func(w *pool.Worker, _ *pool.Pool, f func(w *pool.Worker) error) error {
			return f(w)
		}},
		"a crossing that goes twice": {verdict.DuplicateTask, "job 1 ran 2 times", func(w *pool.Worker, other *pool.Pool, f func(w *pool.Worker) error) error {
			w.Run(other, f)
			return w.Run(other, f)
		}},
		"a crossing that loses the error": {verdict.WrongResult, "Run: <nil>, want " + errLastHop.Error(), func(w *pool.Worker, other *pool.Pool, f func(w *pool.Worker) error) error {
			w.Run(other, f)
			return nil
		}},
	} {
		w := mutualWorkload
		w.run = func(x *execution) {
			a, b := x.newPool(x.workers), x.newPool(x.workers)
			x.mutual(a, b, "outsider 0", c.cross)
			x.close(b)
			x.finish(a)
		}
		t.Run(name, func(t *testing.T) { fails(t, w, c.verdict, c.says) })
	}
}
