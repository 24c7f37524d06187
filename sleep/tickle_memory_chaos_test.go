//go:build chaos

package sleep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/reproduce"
)

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
