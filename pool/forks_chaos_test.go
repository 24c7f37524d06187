//go:build chaos

package pool_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"sync/atomic" // not the drop-in: all of it is the oracle's
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// A forker is a pool with a job that forks: joins within joins, so many deep. Its workers
// keep up to so many jobs to themselves.
//
// What is to be seen is whether parallelism is lost, where it may not be. A job that was kept
// while all workers were busy may wait behind one leaf of its owner: that is the rule, and a
// leaf that waited for such a job would wait for good. So a leaf does two things. It looks whether its
// worker keeps jobs although, before the push or pop that the leaf follows, a worker was asleep
// already: this must not be. And if its worker keeps none, all jobs are where others
// can take them, and have been posted: then it waits for the oldest of them, which others must begin.
type forker struct {
	workers, depth, keep, jec int
	rounds                    int  // so often; 0 is once
	typed                     bool // by a Fn, whose second join of a kind has a path of its own
	blocking                  bool // leaves wait inside Blocking, whatever their workers keep
	within                    bool // and fork there first
	elsewhere                 bool // leaves wait for a run in another pool, the same
	yields                    bool // leaves yield until the oldest job has begun, the same
	meet                      bool // leaves, and the oldest job, wait for all jobs, not for the oldest
}

func (k forker) program(words string) (kill.Program, error) {
	err := kill.Words(words, map[string]*int{"workers": &k.workers, "depth": &k.depth, "keep": &k.keep, "jec": &k.jec, "rounds": &k.rounds},
		map[string]*bool{"blocking": &k.blocking, "within": &k.within, "meet": &k.meet, "typed": &k.typed, "elsewhere": &k.elsewhere, "yields": &k.yields})
	switch {
	case err != nil:
		return kill.Program{}, err
	case k.workers < 1 || k.workers > 7 || k.jec < 1 || k.jec > 32 || k.depth < 1 || k.keep > 32 || k.rounds > 3:
		return kill.Program{}, fmt.Errorf("%d workers, %d deep, %d kept, a JEC of %d bits, %d rounds: want 1 to 7, 1 or more, at most 32, 1 to 32, at most 3", k.workers, k.depth, k.keep, k.jec, k.rounds)
	}
	if k.meet && (k.depth >= k.workers || k.blocking) {
		return kill.Program{}, errors.New("there are not workers enough for all jobs to meet, or some block")
	}
	return kill.Program{
		Body: func(e *control.Engine) {
			watch := new(pool.Sleepers)
			options := []pool.Option{pool.KeepsPrivate(k.keep, 1), pool.WithDequeCapacity(2), pool.WithSpares(0), pool.WithSleep(
				sleep.WithWidths(sleep.Widths{Sleeping: 4, Inactive: 4, JEC: k.jec}), sleep.WithRoundsUntilSleepy(0)), panics(e)}
			p, err := watch.NewPool(k.workers, options...)
			if err != nil {
				panic(err)
			}
			t := newForking(k, e, p, watch)
			e.OnStuck(t.judge)
			if k.elsewhere {
				if t.far, err = pool.New(1, options...); err != nil {
					panic(err)
				}
			}
			start(p, t.first)
			closed(p)
			if k.elsewhere {
				closed(t.far)
			}
		},
	}, nil
}

// panics makes a panic that nothing waits for the verdict, and not the end of the process.
func panics(e *control.Engine) pool.Option {
	return pool.WithPanicHandler(func(p *pool.PanicError) { e.Fail(verdict.Panicked, p.Error()) })
}

// forking is one execution of a forker.
type forking struct {
	forker
	e       *control.Engine
	p, far  *pool.Pool
	watch   *pool.Sleepers
	begun   atomic.Int64     // not the drop-in, as all that is the oracle's
	halves  [3][]atomic.Bool // by round and level: b has begun
	oldest  atomic.Bool      // what leaves wait for has begun
	awaited sync.WaitGroup   // the same
}

func newForking(k forker, e *control.Engine, p *pool.Pool, watch *pool.Sleepers) *forking {
	t := &forking{forker: k, e: e, p: p, watch: watch}
	for i := range t.halves {
		t.halves[i] = make([]atomic.Bool, k.depth+1)
	}
	t.awaited.Add(1)
	if k.meet {
		t.awaited.Add(k.depth - 1)
	}
	return t
}

// judge says what a stuck execution came to.
func (t *forking) judge(control.Result) (verdict.Verdict, string) {
	return killer{jobs: t.depth*max(1, t.rounds) + 1, internal: !t.blocking}.judge(t.p, int(t.begun.Load()))
}

// first is the job that forks.
func (t *forking) first(w *pool.Worker) {
	t.begun.Add(1)
	for i := range max(1, t.rounds) {
		t.nest(w, i, t.depth)
	}
}

// nest forks the job of that level, and those below it.
func (t *forking) nest(owner *pool.Worker, round, level int) {
	before := t.watch.Now(t.p)
	over := false
	join := owner.Join
	if t.typed {
		join = func(a, b func(w *pool.Worker)) { halves.Join(owner, a, b) }
	}
	join(func(w *pool.Worker) {
		if level > 1 {
			t.nest(w, round, level-1)
		} else {
			t.leaf(w, before)
		}
		before = t.watch.Now(t.p)
	}, func(w *pool.Worker) {
		t.begun.Add(1)
		if t.halves[round][level].Swap(true) {
			t.e.Fail(verdict.DuplicateTask, fmt.Sprintf("the second half of join %d is run twice", level))
		}
		oldest := level == t.depth
		if (oldest || t.meet) && round == 0 {
			t.awaited.Done()
			t.oldest.Store(true)
		}
		switch {
		case oldest && !t.meet:
		case w == owner:
			t.leaf(w, before)
		default: // stolen: before is not its to read
			t.leaf(w, pool.SleepersAt{})
		}
		over = true
	})
	if !over {
		t.e.Fail(verdict.LostTask, fmt.Sprintf("join %d is over, and its second half is not", level))
	}
}

// halves calls the halves of a typed join.
var halves = pool.NewFn(func(_ *pool.Fn[func(w *pool.Worker), struct{}], w *pool.Worker, half func(w *pool.Worker)) struct{} {
	half(w)
	return struct{}{}
})

// leaf follows a push or pop of w's, before which others were asleep.
func (t *forking) leaf(w *pool.Worker, before pool.SleepersAt) {
	if n := pool.Private(w); n > 0 {
		if still := t.watch.Still(t.p, before); still > 0 {
			t.e.Fail(verdict.Invariant, fmt.Sprintf("worker %d keeps %d jobs to itself while others are asleep: %d", w.Index(), n, still))
		}
	}
	t.bounded(w)
	switch {
	case t.within:
		w.Blocking(func() {
			w.Join(t.bounded, func(*pool.Worker) {})
			t.awaited.Wait()
		})
	case t.blocking:
		w.Blocking(t.awaited.Wait)
	case t.yields:
		for !t.oldest.Load() {
			w.YieldNow()
		}
	case t.far != nil:
		if err := w.Run(t.far, func(*pool.Worker) error { t.awaited.Wait(); return nil }); err != nil {
			panic(err)
		}
	case pool.Private(w) == 0:
		t.awaited.Wait()
	}
}

// bounded looks whether w keeps too many; a blocking worker may keep none.
func (t *forking) bounded(w *pool.Worker) {
	if pool.KeepsTooMany(w) {
		t.e.Fail(verdict.Invariant, fmt.Sprintf("worker %d keeps %d jobs to itself, which is more than it may", w.Index(), pool.Private(w)))
	}
}

// explored runs the program until it fails, or the strategy has run all that it wants to.
func (k forker) explored(t *testing.T, s strategy.Strategy, most int) (executions int, complete bool, failure *control.Result) {
	t.Helper()
	program, err := k.program("")
	if err != nil {
		t.Fatal(err)
	}
	return explored(t, s, most, program.Body, func(*control.Result) {})
}

// explored runs body until it fails, or the strategy has run all that it wants to. It passes on
// what passes.
func explored(t *testing.T, s strategy.Strategy, most int, body func(e *control.Engine), passed func(r *control.Result)) (executions int, complete bool, failure *control.Result) {
	t.Helper()
	e, err := control.New(control.Options{Strategy: s, Grace: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	run := func() { body(e) }
	for n := range most {
		r, more := e.Run(strategy.ChildKey(1, n), run)
		if !more {
			return n, true, nil
		}
		if r.Verdict != verdict.Pass {
			return n + 1, false, &r
		}
		passed(&r)
	}
	return most, false, nil
}

func summary(r *control.Result) string {
	if r == nil {
		return "no failure"
	}
	return fmt.Sprintf("%s: %s", r.Verdict, r.Summary)
}

var forkPreemptions = flag.Int("fork-preemptions", 0, "bound of TestForksExhausted and TestForkCores; 0 is what takes seconds")

// preemptions is the bound that was asked for, or the one that takes seconds; with the race
// detector, which makes them minutes, and sees in one schedule more or less what it sees in the
// others, less.
func preemptions(seconds, workers int) int {
	switch {
	case *forkPreemptions > 0:
		return *forkPreemptions
	case raceDetector() || testing.Short():
		return max(0, 3-workers)
	}
	return seconds
}

// Every schedule of at most one or two preemptions: nothing is lost, and nothing kept from
// the sleepers. Of two, each night; of three, in minutes, and with three workers hours:
// go test -tags chaos -run ForksExhausted/2_workers -timeout 1h -v ./pool -fork-preemptions 3.
func TestForksExhausted(t *testing.T) {
	for _, c := range []struct {
		forker
		bound int
	}{
		{forker{workers: 2, depth: 1, keep: 32, jec: 32}, 2},
		{forker{workers: 2, depth: 2, keep: 32, jec: 32}, 1},
		{forker{workers: 2, depth: 3, keep: 32, jec: 1}, 1},
		{forker{workers: 2, depth: 3, keep: 1, jec: 1}, 1},
		{forker{workers: 2, depth: 2, keep: 0, jec: 1}, 2},
		{forker{workers: 2, depth: 2, keep: 32, jec: 1, blocking: true}, 1},
		{forker{workers: 3, depth: 2, keep: 32, jec: 32, meet: true}, 1},
		{forker{workers: 3, depth: 2, keep: 1, jec: 32, meet: true}, 1},
		{forker{workers: 3, depth: 2, keep: 32, jec: 32, blocking: true}, 1},
	} {
		c.bound = preemptions(c.bound, c.workers)
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
	e, err := control.New(control.Options{Strategy: strategy.POS()})
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

// A ranger is a pool with a job that loops, whose workers keep up to so many forks to
// themselves: then they do leaf after leaf. What is to be seen is the same as of a
// forker. What is left of the range is as private as forks are.
type ranger struct {
	workers, leaves, keep, jec int
	panics                     bool // the first leaf does
}

func (k ranger) program(words string) (kill.Program, error) {
	err := kill.Words(words, map[string]*int{"workers": &k.workers, "leaves": &k.leaves, "keep": &k.keep, "jec": &k.jec}, map[string]*bool{"panics": &k.panics})
	switch {
	case err != nil:
		return kill.Program{}, err
	case k.workers < 2 || k.workers > 7 || k.jec < 1 || k.jec > 32 || k.leaves < 1 || k.keep > 32:
		return kill.Program{}, fmt.Errorf("%d workers, %d leaves, %d kept, a JEC of %d bits: want 2 to 7, 1 or more, at most 32, 1 to 32", k.workers, k.leaves, k.keep, k.jec)
	}
	return kill.Program{
		Body: func(e *control.Engine) {
			watch := new(pool.Sleepers)
			p, err := watch.NewPool(k.workers, panics(e), pool.KeepsPrivate(k.keep, 1), pool.WithDequeCapacity(2), pool.WithSpares(0), pool.WithSleep(
				sleep.WithWidths(sleep.Widths{Sleeping: 4, Inactive: 4, JEC: k.jec}), sleep.WithRoundsUntilSleepy(0)))
			if err != nil {
				panic(err)
			}
			t := newRanging(e, p, watch, k.leaves)
			t.panics = k.panics
			e.OnStuck(t.judge)
			start(p, t.loop)
			closed(p)
		},
	}, nil
}

// ranging is one loop.
type ranging struct {
	e        *control.Engine
	p        *pool.Pool
	panics   bool
	watch    *pool.Sleepers
	begun    []atomic.Bool     // by element
	before   []pool.SleepersAt // by worker: when its last leaf was over
	departed atomic.Bool       // a leaf has begun on another worker than the first
	awaited  sync.WaitGroup    // the same
}

func newRanging(e *control.Engine, p *pool.Pool, watch *pool.Sleepers, leaves int) *ranging {
	t := &ranging{e: e, p: p, watch: watch, begun: make([]atomic.Bool, leaves), before: make([]pool.SleepersAt, p.Workers())}
	t.awaited.Add(1)
	return t
}

// judge says what a stuck execution came to.
func (t *ranging) judge(control.Result) (verdict.Verdict, string) {
	return killer{jobs: len(t.begun), internal: true}.judge(t.p, len(t.begun)-t.left())
}

// left is how many elements have not begun.
func (t *ranging) left() (n int) {
	for i := range t.begun {
		if !t.begun[i].Load() {
			n++
		}
	}
	return n
}

var errLeaf = errors.New("the first leaf panics")

// loop is the job.
func (t *ranging) loop(owner *pool.Worker) {
	defer func() {
		v := recover()
		switch {
		case hooks.Unwinding(v):
			panic(v)
		case t.panics != (v != nil) || v != nil && v != any(errLeaf):
			t.e.Fail(verdict.WrongResult, fmt.Sprintf("the loop ends with %v", v))
		case t.left() > 0:
			t.e.Fail(verdict.LostTask, fmt.Sprintf("the loop is over; %d elements have not been done", t.left()))
		}
	}()
	t.before[owner.Index()] = t.watch.Now(t.p)
	pool.ForRange(owner, len(t.begun), func(w *pool.Worker, lo, hi int) { t.leaf(owner, w, lo, hi) }, pool.MaxLen(1))
}

// leaf follows a look of w's at the counters and its request, before which others were asleep.
func (t *ranging) leaf(owner, w *pool.Worker, lo, hi int) {
	for i := lo; i < hi; i++ {
		if t.begun[i].Swap(true) {
			t.e.Fail(verdict.DuplicateTask, fmt.Sprintf("element %d is done twice", i))
		}
	}
	n, before := pool.Private(w), &t.before[w.Index()]
	if n > 0 {
		if still := t.watch.Still(t.p, *before); still > 0 {
			t.e.Fail(verdict.Invariant, fmt.Sprintf("worker %d keeps %d jobs or leaves to itself while others are asleep: %d", w.Index(), n, still))
		}
	}
	switch {
	case t.panics && lo == 0:
		panic(errLeaf)
	case w != owner:
		if !t.departed.Swap(true) {
			t.awaited.Done()
		}
	case n == 0 && t.left() > 0 && !t.panics:
		t.awaited.Wait() // all that is left has been posted
	}
	*before = t.watch.Now(t.p)
}
