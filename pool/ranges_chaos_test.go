//go:build chaos

package pool_test

import (
	"errors"
	"fmt"
	"sync/atomic" // not the drop-in: all of it is the oracle's

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

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
