//go:build chaos

package sleep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// A weakModel is the protocol as it ships on a memory that is weaker than Go's. The
// injector's queue is as weak as it may be, too: PushJob is a store with release,
// ReadJob a load with acquire.
type weakModel struct {
	workers, jobs int
	leaver        bool // worker 0's latch is set once, at some time; then it is gone
	meet          bool // each job waits until all have begun
}

type weakRun struct {
	weakModel
	*Sleep
	tail, head atomic.Int64
	done       sync.WaitGroup
	latches    []SpinLatch
}

func (m weakModel) body() {
	s, err := New(m.workers, WithWidths(Widths{Sleeping: 3, Inactive: 3, JEC: 32}), WithRoundsUntilSleepy(0), WithInitialJEC(1))
	if err != nil {
		panic(err)
	}
	r := &weakRun{weakModel: m, Sleep: s, latches: make([]SpinLatch, m.workers)}
	for i := range r.latches {
		r.latches[i].Init(s, i)
	}
	r.done.Add(m.jobs)
	for i := range m.workers {
		go hooks.Task(func() { r.work(i) })()
	}
	if m.leaver {
		go hooks.Task(r.latches[0].Set)()
	}
	for n := range int64(m.jobs) {
		wasEmpty := memory.LoadInt64(&r.head, memory.Relaxed) == n
		memory.StoreInt64(&r.tail, n+1, memory.Release) // PushJob
		PushFence()
		r.NewInjectedJobs(1, wasEmpty) // ReadSleepers
	}
	r.done.Wait()
	for i := range r.latches {
		if i > 0 || !m.leaver {
			r.latches[i].Set()
		}
	}
}

// HasInjectedJob is ReadJob.
func (r *weakRun) HasInjectedJob() bool {
	return memory.LoadInt64(&r.tail, memory.Acquire) > memory.LoadInt64(&r.head, memory.Relaxed)
}

func (r *weakRun) take() bool {
	for {
		n := memory.LoadInt64(&r.head, memory.Relaxed)
		if memory.LoadInt64(&r.tail, memory.Acquire) <= n {
			return false
		}
		if memory.CompareAndSwapInt64(&r.head, n, n+1, memory.Relaxed, memory.Relaxed) {
			return true
		}
	}
}

func (r *weakRun) work(i int) {
	latch := &r.latches[i].CoreLatch
	for !latch.Probe() {
		if !r.search(i, latch) {
			continue
		}
		r.done.Done()
		if r.meet {
			r.done.Wait()
		}
	}
}

func (r *weakRun) search(i int, latch *CoreLatch) bool {
	var idle IdleState
	r.StartLooking(i, &idle)
	defer r.WorkFound(&idle)
	for !latch.Probe() {
		if r.take() {
			return true
		}
		r.NoWorkFound(&idle, latch, r)
	}
	return false
}

// weakly explores the model with some fences left out, and returns the first failure.
func weakly(t *testing.T, m weakModel, how control.Memory, without []string, s strategy.Strategy, most int) (int, *control.Result) {
	t.Helper()
	o := control.Options{Strategy: s, Memory: how, WithoutFences: without, Grace: -1}
	e, err := control.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for n := range most {
		r, more := e.Run(strategy.ChildKey(strategy.ChildKey(1, 0), n), m.body)
		if !more {
			return n, nil
		}
		if r.Verdict == verdict.Pass {
			continue
		}
		schedule, _ := recording.Shrink(r.Schedule, func(s strategy.Schedule) (strategy.Schedule, bool) {
			again, _ := e.Repeat(s, m.body)
			return again.Schedule, again.Effect == r.Effect
		}, 2000)
		r, _ = e.Repeat(schedule, m.body)
		e.Close()
		reproduce.Result(t, o, r, func(*control.Engine) func() { return m.body })
		return n + 1, &r
	}
	return most, nil
}

// The table of the fences (README.md, "Fences"), on this code.
func TestFencesAreNeeded(t *testing.T) {
	const push, sleep = "sleep.PushFence", "sleep.sleepFence"
	m := weakModel{workers: 1, jobs: 1}
	for _, c := range []struct {
		name    string
		without []string
		lost    map[control.Memory]bool
	}{
		{"both fences", nil, nil},
		{"no SleepFence", []string{sleep}, map[control.Memory]bool{control.Views: true}},
		{"no PushFence", []string{push}, map[control.Memory]bool{control.TSO: true, control.Views: true}},
	} {
		var line []string
		for _, how := range []control.Memory{control.SC, control.TSO, control.Views} {
			n, failure := weakly(t, m, how, c.without, strategy.Portfolio(), 5000)
			switch {
			case failure == nil:
				line = append(line, fmt.Sprintf("%v: never in %d", how, n))
			default:
				line = append(line, fmt.Sprintf("%v: lost in execution %d, %s, %d decisions", how, n, failure.Cause, failure.Schedule.Len()))
			}
			if c.lost[how] != (failure != nil) {
				t.Errorf("%s, %v: %+v", c.name, how, failure)
			}
			if failure != nil && (failure.Verdict != verdict.ReliesOnSC || failure.Effect != verdict.Deadlock || failure.Cause == "") {
				t.Errorf("%s, %v: %s, in effect %s, %q", c.name, how, failure.Verdict, failure.Effect, failure.Cause)
			}
		}
		t.Logf("%-14s %s", c.name, strings.Join(line, "; "))
	}
}

// With both fences nothing is lost, on no memory: all schedules and all reads of at
// most three preemptions, and more workers and jobs at random.
func TestDeclaredOrdersSuffice(t *testing.T) {
	executions := 3000
	if testing.Short() {
		executions = 300
	}
	for _, how := range []control.Memory{control.TSO, control.Views} {
		for _, c := range []struct {
			weakModel
			by   func() strategy.Strategy
			most int
		}{
			{weakModel{workers: 1, jobs: 1}, func() strategy.Strategy { return strategy.DFS(3) }, 1 << 30},
			{weakModel{workers: 1, jobs: 2}, strategy.Random, executions},
			{weakModel{workers: 2, jobs: 1, leaver: true}, strategy.PCTCycle, executions},
			{weakModel{workers: 2, jobs: 2, meet: true}, strategy.POS, executions},
			{weakModel{workers: 2, jobs: 3, leaver: true}, func() strategy.Strategy { return strategy.Portfolio() }, executions},
		} {
			s := c.by()
			n, failure := weakly(t, c.weakModel, how, nil, s, c.most)
			if failure != nil {
				t.Errorf("%v, %+v, %s, execution %d: %s (%s): %s", how, c.weakModel, s.Name(), n, failure.Verdict, failure.Effect, failure.Cause)
			}
			if x, ok := s.(strategy.Exhaustive); ok && (n == c.most || x.Bounded() != "at most 3 preemptions") {
				t.Errorf("%v, %+v: %s is not done after %d executions: %s", how, c.weakModel, s.Name(), n, x.Bounded())
			}
			t.Logf("%v, %+v, %s: %d executions", how, c.weakModel, s.Name(), n)
		}
	}
}

// A published is Tickle as it ships, and something that one worker waits for: a latch, or
// a job, published and looked for in these orders, and then a tickle. As in rayon 1.7.1
// there is a tickle whatever the worker does. (Tickle's README: "get-sleepy-then-get-tickled" and
// "tickle-then-get-sleepy".)
type published struct {
	store, load memory.Order
	// tickle is the order of the tickle's look at the state; only SeqCst is what ships.
	tickle memory.Order
	swaps  bool // no look first: tickle-swap
	post   bool // the tickle is NewInjectedJobs, behind PushFence
	latch  bool // instead: a SpinLatch as it ships, and its setter
}

func (m published) body() {
	variant := "tickle"
	if m.swaps {
		variant = "tickle-swap"
	}
	s, err := New(1, atOnce(variant, 32)...)
	if err != nil {
		panic(err)
	}
	var there atomic.Uint32
	var latch SpinLatch
	latch.Init(s, 0)
	var done sync.WaitGroup
	done.Add(1)
	go hooks.Task(func() {
		defer done.Done()
		look := func() bool { return memory.LoadUint32(&there, m.load) != 0 }
		if m.latch {
			look = latch.Probe
		}
		var idle IdleState
		s.StartLooking(0, &idle)
		for !look() {
			s.NoWorkFound(&idle, &latch.CoreLatch, noJobs)
		}
		s.WorkFound(&idle)
	})()
	switch t := s.Strategy.(*tickle); {
	case m.latch:
		latch.Set()
	case m.post:
		memory.StoreUint32(&there, 1, m.store)
		PushFence()
		s.NewInjectedJobs(1, true)
	case m.tickle == memory.SeqCst:
		memory.StoreUint32(&there, 1, m.store)
		t.tickle()
	default: // tickle, with another order
		memory.StoreUint32(&there, 1, m.store)
		if memory.LoadUint64(&t.state, m.tickle) != awake {
			t.tickleCold()
		}
	}
	done.Wait()
}

// The table of VARIANTS.md, "Tickle".
func TestTickleNeedsSeqCst(t *testing.T) {
	lost := func(how ...control.Memory) map[control.Memory]bool {
		m := map[control.Memory]bool{}
		for _, h := range how {
			m[h] = true
		}
		return m
	}
	for _, c := range []struct {
		name string
		published
		lost map[control.Memory]bool
	}{
		{"all seq-cst (rayon 1.7.1)", published{store: memory.SeqCst, load: memory.SeqCst, tickle: memory.SeqCst}, nil},
		{"published release, looked for acquire", published{store: memory.Release, load: memory.Acquire, tickle: memory.SeqCst}, lost(control.TSO, control.Views)},
		{"published release", published{store: memory.Release, load: memory.SeqCst, tickle: memory.SeqCst}, lost(control.TSO, control.Views)},
		{"looked for acquire", published{store: memory.SeqCst, load: memory.Acquire, tickle: memory.SeqCst}, lost(control.Views)},
		{"the tickle's load acquire", published{store: memory.SeqCst, load: memory.SeqCst, tickle: memory.Acquire}, lost(control.Views)},
		{"swap, published release, looked for acquire", published{store: memory.Release, load: memory.Acquire, tickle: memory.SeqCst, swaps: true}, nil},
		{"a job, seq-cst", published{store: memory.SeqCst, load: memory.SeqCst, post: true}, nil},
		{"a job, release and acquire, behind PushFence", published{store: memory.Release, load: memory.Acquire, post: true}, lost(control.Views)},
		// Its orders are what JEC needs, which falls asleep by a CAS on the latch. That
		// can't miss that it is set; Tickle's last look, a load, can.
		{"a SpinLatch as it ships", published{latch: true}, lost(control.Views)},
		{"a SpinLatch as it ships, swap", published{latch: true, swaps: true}, nil},
	} {
		var line []string
		for _, how := range []control.Memory{control.SC, control.TSO, control.Views} {
			n, bounded, failure := weaklyAll(t, c.published, how)
			switch {
			case failure == nil:
				line = append(line, fmt.Sprintf("%v: never in all %d", how, n))
			default:
				line = append(line, fmt.Sprintf("%v: lost in execution %d (%s)", how, n, failure.Cause))
			}
			if c.lost[how] != (failure != nil) || failure == nil && bounded != "" && bounded != "at most 6 preemptions" {
				t.Errorf("%s, %v: bounded: %q, %+v", c.name, how, bounded, failure)
			}
			if failure != nil && (failure.Verdict != verdict.ReliesOnSC || failure.Effect != verdict.Deadlock || failure.Cause == "") {
				t.Errorf("%s, %v: %s, in effect %s, %q", c.name, how, failure.Verdict, failure.Effect, failure.Cause)
			}
		}
		t.Logf("%-45s %s", c.name, strings.Join(line, "; "))
	}
}

// weaklyAll explores all schedules and reads of at most six preemptions.
func weaklyAll(t *testing.T, m published, how control.Memory) (n int, bounded string, failure *control.Result) {
	t.Helper()
	by := strategy.DFS(6)
	o := control.Options{Strategy: by, Memory: how, Grace: -1}
	e, err := control.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for {
		r, more := e.Run(1, m.body)
		if !more {
			return n, strategy.Bounded(by), nil
		}
		n++
		if r.Verdict == verdict.Pass {
			continue
		}
		r.Schedule = r.Schedule.Clone()
		e.Close()
		reproduce.Result(t, o, r, func(*control.Engine) func() { return m.body })
		return n, "", &r
	}
}
