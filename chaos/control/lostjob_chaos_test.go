//go:build chaos

package control

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/internal/racing"
)

// sleepCore is what the proof of the sleep protocol is about: a poster looks
// for sleepers, a sleeper looks for a job, and at least one must see the other.
func sleepCore(pushFence, sleepFence bool, counters memory.Order) func(start func(fs ...func())) func() string {
	return func(start func(fs ...func())) func() string {
		var jobs, sleepers atomic.Uint32
		var seesSleeper, seesJob bool
		start(
			func() {
				memory.StoreUint32(&jobs, 1, memory.Release) // PushJob
				if pushFence {
					memory.Fence(memory.SeqCst)
				}
				seesSleeper = memory.LoadUint32(&sleepers, counters) > 0 // ReadSleepers
			},
			func() {
				memory.AddUint32(&sleepers, 1, counters) // IncSleepers
				if sleepFence {
					memory.Fence(memory.SeqCst)
				}
				seesJob = memory.LoadUint32(&jobs, memory.Acquire) > 0 // ReadJob
			},
		)
		return func() string {
			if !seesSleeper && !seesJob {
				return "the job is lost"
			}
			return "it is not"
		}
	}
}

// The table of the sleep protocol's fences. The order of the counters does not matter.
var sleepLitmus = []litmus{
	{name: "sleep, both fences", subject: sleepCore(true, true, rlx), outcomes: with("the job is lost", "---", "it is not")},
	{name: "sleep, both fences, seq-cst counters", subject: sleepCore(true, true, sc), outcomes: with("the job is lost", "---", "it is not")},
	{name: "sleep, no SleepFence", subject: sleepCore(true, false, rlx), outcomes: with("the job is lost", "--i", "it is not")},
	{name: "sleep, no SleepFence, seq-cst counters", subject: sleepCore(true, false, sc), outcomes: with("the job is lost", "--i", "it is not")},
	{name: "sleep, no PushFence", subject: sleepCore(false, true, rlx), outcomes: with("the job is lost", "-ii", "it is not")},
	{name: "sleep, no PushFence, seq-cst counters", subject: sleepCore(false, true, sc), outcomes: with("the job is lost", "-ii", "it is not")},
}

// The state of the older protocol, and its scenarios ("get-sleepy-then-get-tickled",
// "tickle-then-get-sleepy"): worker 1 gets sleepy, worker 0 sets the latch and tickles.
const (
	noOneIsSleepy   = 0
	worker1IsSleepy = 4
)

// tickle reads the state; in the alternative, it exchanges it.
func tickle(state *atomic.Uint32, order memory.Order, exchange bool) uint32 {
	if exchange {
		return memory.SwapUint32(state, noOneIsSleepy, order)
	}
	return memory.LoadUint32(state, order)
}

// scenario1: worker 1 is sleepy - worker 0 knows, from something that orders
// nothing - when worker 0 sets the latch and tickles. Does it see that?
func scenario1(sleepy, read memory.Order, exchange bool) func(start func(fs ...func())) func() string {
	return func(start func(fs ...func())) func() string {
		var latch, state, hint atomic.Uint32
		var was, saw uint32
		start(
			func() {
				was = memory.LoadUint32(&hint, memory.Relaxed)
				memory.StoreUint32(&latch, 1, memory.Release)
				saw = tickle(&state, read, exchange)
			},
			func() {
				memory.CompareAndSwapUint32(&state, noOneIsSleepy, worker1IsSleepy, sleepy, memory.Relaxed)
				memory.StoreUint32(&hint, 1, memory.Relaxed)
			},
		)
		return results(&was, &saw)
	}
}

// scenario2: worker 0 tickles, and no worker is sleepy yet; then worker 1 gets sleepy
// and looks at the latch once more. Does it see it set?
func scenario2(set, probe, sleepy, read memory.Order, exchange bool) func(start func(fs ...func())) func() string {
	return func(start func(fs ...func())) func() string {
		var latch, state atomic.Uint32
		var saw, latched uint32
		start(
			func() {
				memory.StoreUint32(&latch, 1, set)
				saw = tickle(&state, read, exchange)
			},
			func() {
				memory.CompareAndSwapUint32(&state, noOneIsSleepy, worker1IsSleepy, sleepy, memory.Relaxed)
				latched = memory.LoadUint32(&latch, probe)
			},
		)
		return results(&saw, &latched)
	}
}

var tickleLitmus = []litmus{
	{name: "scenario 1, seq-cst", subject: scenario1(sc, sc, false), outcomes: with("1 0", "---", "0 0", "0 4", "1 4")},
	{name: "scenario 1, acquire and release", subject: scenario1(memory.AcqRel, acq, false), outcomes: with("1 0", "--i", "0 0", "0 4", "1 4")},
	{name: "scenario 1, an exchange", subject: scenario1(memory.AcqRel, rel, true), outcomes: with("1 0", "---", "0 0", "0 4", "1 4")},
	{name: "scenario 2, seq-cst", subject: scenario2(sc, sc, sc, sc, false), outcomes: with("0 0", "---", "0 1", "4 0", "4 1")},
	{name: "scenario 2, a latch with acquire and release", subject: scenario2(rel, acq, sc, sc, false), outcomes: with("0 0", "-ii", "0 1", "4 0", "4 1")},
	{name: "scenario 2, a latch set with seq-cst", subject: scenario2(sc, acq, sc, sc, false), outcomes: with("0 0", "--i", "0 1", "4 0", "4 1")},
	{name: "scenario 2, an exchange", subject: scenario2(rlx, rlx, memory.AcqRel, rel, true), outcomes: with("0 0", "---", "0 1", "4 0", "4 1")},
}

// weakDeque is the deque of Chase and Lev with the orders of Lê, Pop, Cohen and
// Zappa Nardelli (PPoPP 2013), as far as it need not grow.
type weakDeque struct {
	top, bottom atomic.Int64
	slots       [4]atomic.Int64
	fence       bool // take has its StoreLoad fence
}

func (d *weakDeque) push(job int64) {
	b := memory.LoadInt64(&d.bottom, memory.Relaxed)
	memory.LoadInt64(&d.top, memory.Acquire)
	memory.StoreInt64(&d.slots[b%4], job, memory.Relaxed)
	memory.Fence(memory.Release)
	memory.StoreInt64(&d.bottom, b+1, memory.Relaxed)
}

func (d *weakDeque) take() (job int64) {
	b := memory.LoadInt64(&d.bottom, memory.Relaxed) - 1
	memory.StoreInt64(&d.bottom, b, memory.Relaxed)
	if d.fence {
		memory.Fence(memory.SeqCst)
	}
	t := memory.LoadInt64(&d.top, memory.Relaxed)
	if t > b {
		memory.StoreInt64(&d.bottom, b+1, memory.Relaxed)
		return 0
	}
	job = memory.LoadInt64(&d.slots[b%4], memory.Relaxed)
	if t == b {
		if !memory.CompareAndSwapInt64(&d.top, t, t+1, memory.SeqCst, memory.Relaxed) {
			job = 0
		}
		memory.StoreInt64(&d.bottom, b+1, memory.Relaxed)
	}
	return job
}

func (d *weakDeque) steal() (job int64) {
	t := memory.LoadInt64(&d.top, memory.Acquire)
	memory.Fence(memory.SeqCst)
	if t >= memory.LoadInt64(&d.bottom, memory.Acquire) {
		return 0
	}
	job = memory.LoadInt64(&d.slots[t%4], memory.Relaxed)
	if !memory.CompareAndSwapInt64(&d.top, t, t+1, memory.SeqCst, memory.Relaxed) {
		return 0
	}
	return job
}

// ownerAndThief is the owner that pushes two jobs and takes two, and a thief that
// tries to steal as many, when they are there.
func ownerAndThief(e *Engine, fence bool) func() {
	return func() {
		d := &weakDeque{fence: fence}
		var taken [3]int // times; 0 is no job
		take := func(job int64) {
			if taken[job]++; job > 0 && taken[job] > 1 {
				e.Fail(verdict.DuplicateTask, fmt.Sprintf("job %d is taken twice", job))
			}
		}
		d.push(1)
		d.push(2)
		e.Go(func() {
			take(d.steal())
			take(d.steal())
		})
		take(d.take())
		take(d.take())
	}
}

func TestChaseLevNeedsItsFence(t *testing.T) {
	if racing.Detector {
		t.Skip("the subject notes what is taken unsynchronised")
	}
	const never = 501
	for _, m := range memories {
		for _, by := range []func() strategy.Strategy{strategy.Random, strategy.PCTCycle, strategy.POS, func() strategy.Strategy { return strategy.Portfolio() }} {
			var all []int
			name := ""
			for seed := range uint64(20) {
				e := start(t, Options{Memory: m, Strategy: by()})
				name = e.in.Strategy.Name()
				body := ownerAndThief(e, false)
				found := 0
				for n := 1; n < never && found == 0; n++ {
					r, _ := e.Run(strategy.ChildKey(strategy.ChildKey(seed, 0), n), body)
					if r.Verdict == verdict.Pass {
						continue
					}
					found = n
					if r.Verdict != verdict.ReliesOnSC || r.Effect != verdict.DuplicateTask || !strings.Contains(r.Cause, "lostjob_chaos_test.go:") {
						t.Fatalf("%v: %s, in effect %s, %q", m, r.Verdict, r.Effect, r.Cause)
					}
				}
				e.Close()
				if found == 0 {
					found = never
				}
				all = append(all, found)
			}
			slices.Sort(all)
			median := all[len(all)/2]
			if m == SC {
				if all[0] < never {
					t.Errorf("%s: found after %d executions; Go needs no fence", name, all[0])
				}
				continue
			}
			if median > 50 {
				t.Errorf("%v, %s: found after %d executions, the median of 20 seeds; want 50 at most", m, name, median)
			}
			t.Logf("%v, without the fence, %s: found after %v executions, median %d", m, name, all, median)
		}
		s := strategy.DPOR()
		e := start(t, Options{Memory: m, Strategy: s})
		body := ownerAndThief(e, true)
		n := 0
		for ; n < 200_000; n++ {
			r, more := e.Run(1, body)
			if !more {
				break
			}
			if r.Verdict != verdict.Pass {
				t.Fatalf("%v, with the fence: %s in execution %d: %s; %s", m, r.Verdict, n, r.Summary, r.Cause)
			}
		}
		if !s.(strategy.Exhaustive).Complete() {
			t.Errorf("%v, with the fence: more than %d executions", m, n)
		}
		t.Logf("%v, with the fence: all there is, %d executions by DPOR", m, n)
		e.Close()
	}
}
