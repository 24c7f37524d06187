//go:build chaos

package pool_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// A forker is a pool with a job that forks: joins within joins, so many deep. Its workers
// keep up to so many jobs to themselves.
//
// What is to be seen is whether parallelism is lost, where it may not be. A job that was kept
// while everybody was busy may wait behind one leaf of its owner: that is the rule, and a
// leaf that waited for such a job would wait for good. So a leaf does two things. It looks whether its
// worker keeps jobs although, before the push or pop that the leaf follows, somebody was asleep
// already: this must not be. And if its worker keeps none, all jobs are where others
// can take them, and have been posted: then it waits for the oldest of them, which others must begin.
type forker struct {
	workers, depth, keep, jec int
	blocking                  bool // leaves wait inside Blocking, whatever their workers keep
	meet                      bool // leaves, and the oldest job, wait for all jobs, not for the oldest
}

func (k forker) program(words string) (kill.Program, error) {
	err := kill.Words(words, map[string]*int{"workers": &k.workers, "depth": &k.depth, "keep": &k.keep, "jec": &k.jec},
		map[string]*bool{"blocking": &k.blocking, "meet": &k.meet})
	switch {
	case err != nil:
		return kill.Program{}, err
	case k.workers < 2 || k.workers > 7 || k.jec < 1 || k.jec > 32 || k.depth < 1 || k.keep > 32:
		return kill.Program{}, fmt.Errorf("%d workers, %d deep, %d kept, a JEC of %d bits: want 2 to 7, 1 or more, at most 32, 1 to 32", k.workers, k.depth, k.keep, k.jec)
	}
	if k.meet && (k.depth >= k.workers || k.blocking) {
		return kill.Program{}, errors.New("there are not workers enough for all jobs to meet, or some block")
	}
	var p *pool.Pool
	var begun atomic.Int64 // not the drop-in: this is the oracle's
	return kill.Program{
		Body: func(e *control.Engine) {
			begun.Store(0)
			var err error
			p, err = pool.New(k.workers, pool.KeepsPrivate(k.keep, 1), pool.WithDequeCapacity(2), pool.WithSpares(0), pool.WithSleep(
				sleep.WithWidths(sleep.Widths{Sleeping: 4, Inactive: 4, JEC: k.jec}), sleep.WithRoundsUntilSleepy(0)))
			if err != nil {
				panic(err)
			}
			jobs := k.depth + 1
			e.OnStuck(func(control.Result) (verdict.Verdict, string) {
				return killer{jobs: jobs, internal: !k.blocking}.judge(p, int(begun.Load()))
			})
			t := &forking{forker: k, e: e, p: p, began: func() { begun.Add(1) }}
			t.awaited.Add(1)
			if k.meet {
				t.awaited.Add(k.depth - 1)
			}
			start(p, func(w *pool.Worker) { t.began(); t.nest(w, k.depth) })
			closed(p)
		},
	}, nil
}

// forking is one execution of a forker.
type forking struct {
	forker
	e       *control.Engine
	p       *pool.Pool
	began   func()
	awaited sync.WaitGroup // what leaves wait for has begun
}

// nest forks the job of that level, and those below it.
func (t *forking) nest(owner *pool.Worker, level int) {
	asleep := t.p.Counters().Sleeping
	owner.Join(func(w *pool.Worker) {
		if level > 1 {
			t.nest(w, level-1)
		} else {
			t.leaf(w, asleep)
		}
		asleep = t.p.Counters().Sleeping
	}, func(w *pool.Worker) {
		t.began()
		oldest := level == t.depth
		if oldest || t.meet {
			t.awaited.Done()
		}
		switch {
		case oldest && !t.meet:
		case w == owner:
			t.leaf(w, asleep)
		default: // stolen: asleep is not its to read
			t.leaf(w, 0)
		}
	})
}

// leaf follows a push or pop of w's, before which so many were asleep.
func (t *forking) leaf(w *pool.Worker, asleep int) {
	if n := pool.Private(w); n > 0 && asleep > 0 {
		t.e.Fail(verdict.Invariant, fmt.Sprintf("worker %d keeps %d jobs to itself while others are asleep: %d", w.Index(), n, asleep))
	}
	switch {
	case t.blocking:
		w.Blocking(t.awaited.Wait)
	case pool.Private(w) == 0:
		t.awaited.Wait()
	}
}

// explored runs the program until it fails, or the strategy has run all that it wants to.
func (k forker) explored(t *testing.T, s strategy.Strategy, most int) (executions int, complete bool, failure *control.Result) {
	t.Helper()
	program, err := k.program("")
	if err != nil {
		t.Fatal(err)
	}
	e, err := control.New(control.Options{Strategy: s})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	body := func() { program.Body(e) }
	for n := range most {
		r, more := e.Run(strategy.ChildKey(1, n), body)
		if !more {
			return n, true, nil
		}
		if r.Verdict != verdict.Pass {
			return n + 1, false, &r
		}
	}
	return most, false, nil
}

func summary(r *control.Result) string {
	if r == nil {
		return "no failure"
	}
	return fmt.Sprintf("%s: %s", r.Verdict, r.Summary)
}

var forkPreemptions = flag.Int("fork-preemptions", 0, "bound of TestForksExhausted; 0 is what takes seconds")

// Every schedule of at most one or two preemptions: nothing is lost, and nothing kept from
// those who sleep. Of three, in minutes, and with three workers hours:
// go test -tags chaos -run ForksExhausted/2_workers -timeout 1h -v ./pool -fork-preemptions 3.
func TestForksExhausted(t *testing.T) {
	for _, c := range []struct {
		forker
		bound int
	}{
		{forker{workers: 2, depth: 1, keep: 32, jec: 32}, 2},
		{forker{workers: 2, depth: 2, keep: 32, jec: 32}, 2},
		{forker{workers: 2, depth: 3, keep: 32, jec: 1}, 2},
		{forker{workers: 2, depth: 3, keep: 1, jec: 1}, 2},
		{forker{workers: 2, depth: 2, keep: 0, jec: 1}, 2},
		{forker{workers: 2, depth: 2, keep: 32, jec: 1, blocking: true}, 2},
		{forker{workers: 3, depth: 2, keep: 32, jec: 32, meet: true}, 1},
		{forker{workers: 3, depth: 2, keep: 1, jec: 32, meet: true}, 1},
		{forker{workers: 3, depth: 2, keep: 32, jec: 32, blocking: true}, 1},
	} {
		if raceDetector() || testing.Short() {
			c.bound = 1
		}
		if *forkPreemptions > 0 {
			c.bound = *forkPreemptions
		}
		t.Run(fmt.Sprintf("%d workers, %d deep, %d kept, JEC of %d, blocking %t", c.workers, c.depth, c.keep, c.jec, c.blocking), func(t *testing.T) {
			n, complete, failure := c.explored(t, strategy.DFS(c.bound), math.MaxInt)
			if failure != nil || !complete {
				t.Errorf("complete: %v after %d executions; %s", complete, n, summary(failure))
			}
			t.Logf("%d schedules of at most %d preemptions", n, c.bound)
		})
	}
}

// Catches: what needs more preemptions than can be exhausted.
func TestForksAtRandom(t *testing.T) {
	executions := 4000
	if raceDetector() || testing.Short() {
		executions = 50
	}
	for _, k := range []forker{
		{workers: 2, depth: 3, keep: 32, jec: 1},
		{workers: 2, depth: 5, keep: 1, jec: 1},
		{workers: 3, depth: 3, keep: 32, jec: 32},
		{workers: 3, depth: 4, keep: 2, jec: 32},
		{workers: 3, depth: 3, keep: 0, jec: 32},
		{workers: 3, depth: 3, keep: 32, jec: 1, blocking: true},
		{workers: 3, depth: 2, keep: 1, jec: 32, meet: true},
		{workers: 3, depth: 2, keep: 32, jec: 32, meet: true},
	} {
		for _, s := range []strategy.Strategy{strategy.Random(), strategy.PCT(3), strategy.PCT(5), strategy.POS()} {
			if n, _, failure := k.explored(t, s, executions); failure != nil {
				t.Errorf("%+v, %s, execution %d: %s", k, s.Name(), n, summary(failure))
			}
		}
	}
}

// With a counter of one bit a post may be lost, and then parallelism is: for jobs that have
// been shared. None is kept while others sleep even then. With the production width,
// from the same seeds, nothing is lost: that is in TestForksAtRandom.
func TestForksOneBit(t *testing.T) {
	executions := 4000
	if raceDetector() || testing.Short() {
		executions = 200
	}
	program, err := forker{workers: 3, depth: 2, keep: 1, jec: 1, meet: true}.program("")
	if err != nil {
		t.Fatal(err)
	}
	e, err := control.New(control.Options{Strategy: strategy.PCT(5)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	body := func() { program.Body(e) }
	lost := 0
	for n := range executions {
		r, _ := e.Run(strategy.ChildKey(1, n), body)
		switch r.Verdict {
		case verdict.Pass:
		case verdict.LostParallelism:
			if lost++; lost == 1 {
				t.Logf("execution %d: %s", n, summary(&r))
			}
		default:
			t.Fatalf("execution %d: %s", n, summary(&r))
		}
	}
	if lost == 0 && executions >= 4000 {
		t.Errorf("%d executions, and parallelism is never lost: does the test above see it?", executions)
	}
}
