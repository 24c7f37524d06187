//go:build chaos

package pool_test

import (
	"flag"
	"fmt"
	"math"
	stdatomic "sync/atomic" // not the drop-in: these are the oracle's, and the strategy's
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// A core is what the argument of R is about, and no more: workers that are all busy; worker 0
// forks, as a forker does, or loops, and the others run out of work, each at some time. Nothing
// starts the pool, no job comes from outside, and when the forks are over, so is the execution.
type core struct {
	workers   int
	depth     int // of joins
	rounds    int // so often; 0 is once
	typed     bool
	leaves    int // of a loop, instead
	keep, jec int
	meet      bool
	ends      bool // the workers are notified to end, and the execution does so by itself
	lies      bool // when listing what is never written
}

// run is one execution; s gets what it need not look at.
func (k core) run(e *control.Engine, s *unseen) {
	w := pool.Unstarted(k.workers, k.keep, sleep.WithWidths(sleep.Widths{Sleeping: 4, Inactive: 4, JEC: k.jec}), sleep.WithRoundsUntilSleepy(0))
	watch := new(pool.Sleepers)
	watch.WatchUnstarted(w)
	do := k.forks(e, w[0].Pool(), watch)
	var over sync.WaitGroup
	over.Add(1)
	s.are(ownedObject)
	pool.TouchOwn(w)
	if !k.ends {
		over.Add(1) // for good
	}
	s.are(constantObject)
	pool.TouchConstant(w, k.leaves == 0)
	if k.lies {
		w[0].Pool().Counters()
	}
	s.are(sharedObject)
	for _, w := range w[1:] {
		e.Go(func() { pool.Serve(w) })
	}
	e.Go(func() {
		pool.As(w[0], do)
		if k.ends {
			over.Done()
		} else {
			e.Fail(verdict.Pass, "")
		}
	})
	over.Wait()
	for _, w := range w[1:] {
		pool.Retire(w)
	}
}

// forks is what worker 0 does.
func (k core) forks(e *control.Engine, p *pool.Pool, watch *pool.Sleepers) func(w *pool.Worker) {
	if k.leaves > 0 {
		t := newRanging(e, p, watch, k.leaves)
		e.OnStuck(t.judge)
		return t.loop
	}
	t := newForking(forker{depth: k.depth, rounds: k.rounds, typed: k.typed, meet: k.meet}, e, p, watch)
	e.OnStuck(t.judge)
	return t.first
}

// explored runs it until it fails, or the strategy has run all that it wants to, or most
// executions, and passes orders, unless nil, the partial order of each.
func (k core) explored(t *testing.T, by strategy.Strategy, most int, orders map[uint64]bool) (executions int, complete bool, failure *control.Result) {
	t.Helper()
	s, _ := by.(*unseen)
	return explored(t, by, most, func(e *control.Engine) { k.run(e, s) }, func(r *control.Result) {
		if orders != nil {
			orders[r.Order] = true
		}
	})
}

// unseen is a strategy that is not asked whether to preempt a task before a step that no other task
// can observe: one on an object that no other task uses, or that is never written, and which does
// nothing else, such as unlocking. A preemption there is one after it: whatever others do in
// between, they do as well when it is done, and if the task then cannot continue, no preemption is
// needed. So a bound is exhausted without them. It gets the list of such objects, and checks at
// each step that the list is right. (What follows a step, up to the next, is part of it, and must
// be the task's own, too: TestUnseenLosesNothing.)
type unseen struct {
	strategy.Strategy
	marks   stdatomic.Int32 // an objectUse: what the objects are that are used now
	uses    []objectUse
	users   []int          // ID of the first task that used it, but for marking, plus 1
	skipped *strategy.Task // before whose step the strategy was not asked; nil: it was
	ops     int            // that it had done then
	against string
}

// An objectUse says which tasks use an object.
type objectUse int32

const (
	sharedObject   objectUse = iota
	ownedObject              // one task
	constantObject           // all read it
)

func unseenBy(s strategy.Strategy) *unseen { return &unseen{Strategy: s} }

// are says what the objects are that the only task there is will touch from now on.
func (s *unseen) are(use objectUse) {
	if s != nil {
		s.marks.Store(int32(use))
	}
}

func (s *unseen) Begin(x strategy.Execution) bool {
	s.marks.Store(int32(sharedObject))
	clear(s.uses)
	clear(s.users)
	s.skipped = nil
	return s.Strategy.Begin(x)
}

func (s *unseen) Next(c *strategy.Choice) int {
	if use := objectUse(s.marks.Load()); use != sharedObject {
		s.uses[s.known(c.Enabled[0].Op)] = use
		return s.Strategy.Next(c)
	}
	if t := s.skipped; t != nil && t.Ops != s.ops+1 {
		s.against = fmt.Sprintf("the step of task %d that should not be observable did more: %d operations", t.ID, t.Ops-s.ops)
	}
	s.skipped = nil
	t := c.Enabled[c.Default]
	if t != c.Current || s.uses[s.known(t.Op)] == sharedObject {
		i := s.Strategy.Next(c)
		s.check(c.Enabled[i])
		return i
	}
	s.check(t)
	s.skipped, s.ops = t, t.Ops
	return c.Default
}

// known returns the number of the object of an operation, for which there is room.
func (s *unseen) known(op strategy.Op) int {
	for op.Object >= len(s.uses) {
		s.uses, s.users = append(s.uses, sharedObject), append(s.users, 0)
	}
	return op.Object
}

// check looks whether the object of t's next step is what it was said to be.
func (s *unseen) check(t *strategy.Task) {
	o := s.known(t.Op)
	switch s.uses[o] {
	case constantObject:
		if t.Op.Kind != strategy.Load {
			s.against = fmt.Sprintf("task %d is about to %s object %d, which should never be written", t.ID, t.Op.Kind, o)
		}
	case ownedObject:
		if s.users[o] == 0 {
			s.users[o] = t.ID + 1
		}
		if s.users[o] != t.ID+1 {
			s.against = fmt.Sprintf("task %d uses object %d, which is task %d's", t.ID, o, s.users[o]-1)
		}
	}
	if t.Spinning {
		s.against = fmt.Sprintf("task %d spins: when, may depend on what cannot be observed", t.ID)
	}
}

var (
	forkMost  = flag.Int("fork-most", math.MaxInt, "executions of each line of TestForkCores and TestForksByDPOR, at most")
	forkDepth = flag.Int("fork-depth", 1, "forks of TestForksByDPOR")
)

// Every schedule of the core, of so few preemptions that it takes seconds: of two workers, two or
// three. Of three workers and three preemptions, one fork takes minutes, all lines two hours:
//
//	go test -tags chaos -run ForkCores/3_workers -timeout 5h -v ./pool -fork-preemptions 3
func TestForkCores(t *testing.T) {
	for _, c := range []struct {
		core
		bound int
	}{
		{core{workers: 2, depth: 1, keep: 32, jec: 32}, 3},
		{core{workers: 2, depth: 1, keep: 32, jec: 1}, 3},
		{core{workers: 2, depth: 2, keep: 32, jec: 32}, 2},
		{core{workers: 2, depth: 2, keep: 32, jec: 1}, 2},
		{core{workers: 2, depth: 2, keep: 1, jec: 1}, 3},
		{core{workers: 2, depth: 2, keep: 0, jec: 1}, 2},
		{core{workers: 2, depth: 1, rounds: 2, keep: 32, jec: 32}, 3},
		{core{workers: 2, depth: 1, rounds: 2, keep: 32, jec: 1}, 3},
		{core{workers: 2, depth: 1, rounds: 3, typed: true, keep: 32, jec: 32}, 2},
		{core{workers: 2, leaves: 4, keep: 32, jec: 32}, 2},
		{core{workers: 2, leaves: 4, keep: 32, jec: 1}, 2},
		{core{workers: 3, depth: 1, keep: 32, jec: 32}, 1},
		{core{workers: 3, depth: 1, keep: 32, jec: 1}, 1},
		{core{workers: 3, depth: 2, keep: 32, jec: 32, meet: true}, 1},
		{core{workers: 3, depth: 2, keep: 1, jec: 32, meet: true}, 1},
		{core{workers: 3, depth: 2, keep: 32, jec: 1}, 1},
		{core{workers: 3, depth: 1, rounds: 2, keep: 32, jec: 32}, 1},
		{core{workers: 3, depth: 1, rounds: 2, keep: 32, jec: 1}, 1},
		{core{workers: 3, leaves: 4, keep: 32, jec: 32}, 1},
		{core{workers: 3, leaves: 4, keep: 32, jec: 1}, 1},
	} {
		c.bound = preemptions(c.bound, c.workers)
		t.Run(fmt.Sprintf("%d workers, %d deep, %d times, typed %t, %d leaves, %d kept, JEC of %d, meet %t", c.workers, c.depth, max(1, c.rounds), c.typed, c.leaves, c.keep, c.jec, c.meet), func(t *testing.T) {
			by := strategy.DFS(c.bound)
			s := unseenBy(by)
			n, complete, failure := c.explored(t, s, *forkMost, nil)
			if failure != nil || !complete && n < *forkMost || s.against != "" {
				t.Errorf("complete: %v after %d executions; %s; %s", complete, n, summary(failure), s.against)
			}
			t.Logf("%d schedules of at most %d preemptions; complete: %t", n, c.bound, complete)
		})
	}
}

// All schedules there are, but for those that differ only in what commutes: of the pool with one
// worker, and of the core with two, of which one forks once. Of two forks in an hour:
//
//	go test -tags chaos -run ForksByDPOR -timeout 3h -v ./pool -fork-depth 2
func TestForksByDPOR(t *testing.T) {
	if raceDetector() {
		return // the same schedules, and too many
	}
	lone := forker{workers: 1, depth: 2, keep: 32, jec: 1}
	if n, complete, failure := lone.explored(t, strategy.DPOR(), math.MaxInt); failure != nil || !complete {
		t.Errorf("%+v: complete: %v after %d executions; %s", lone, complete, n, summary(failure))
	} else {
		t.Logf("%+v: %d executions", lone, n)
	}
	for _, k := range []core{
		{workers: 2, depth: *forkDepth, keep: 32, jec: 32, ends: true},
		{workers: 2, depth: *forkDepth, keep: 32, jec: 1, ends: true},
		{workers: 2, depth: *forkDepth, keep: 0, jec: 32, ends: true},
	} {
		by := strategy.DPOR()
		n, complete, failure := k.explored(t, by, *forkMost, nil)
		if failure != nil || !complete && n < *forkMost {
			t.Errorf("%+v: complete: %v after %d executions; %s", k, complete, n, summary(failure))
		}
		t.Logf("%+v: %d executions", k, n)
	}
}

// Catches: a preemption that is left out, and would have led to something else. Every partial order
// that is met with all preemptions is met without those.
func TestUnseenLosesNothing(t *testing.T) {
	if raceDetector() {
		return // the same schedules
	}
	for _, k := range []core{
		{workers: 2, depth: 1, keep: 32, jec: 32, ends: true},
		{workers: 2, depth: 2, keep: 1, jec: 1, ends: true},
		{workers: 2, leaves: 2, keep: 32, jec: 32, ends: true},
	} {
		all, some := map[uint64]bool{}, map[uint64]bool{}
		n, _, failure := k.explored(t, strategy.DFS(2), math.MaxInt, all)
		s := unseenBy(strategy.DFS(2))
		m, _, again := k.explored(t, s, math.MaxInt, some)
		lost := 0
		for order := range all {
			if !some[order] {
				lost++
			}
		}
		if failure != nil || again != nil || s.against != "" || lost > 0 || m >= n {
			t.Errorf("%+v: %d partial orders of %d are not met; %s; %s; %s", k, lost, len(all), summary(failure), summary(again), s.against)
		}
		t.Logf("%+v: %d partial orders, in %d schedules, and in %d of them", k, len(all), n, m)
	}
	s := unseenBy(strategy.DFS(1))
	core{workers: 2, depth: 1, keep: 32, jec: 32, lies: true}.explored(t, s, math.MaxInt, nil)
	if s.against == "" {
		t.Error("a false claim that the counters are never written was not detected")
	}
}
