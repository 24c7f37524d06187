//go:build chaos

package pool_test

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
)

// A requested is what R says of one owner and one thief, as orders of memory. The owner has been
// asked already: it pops, and meets the request, and pushes. The thief falls idle, finds the
// deque empty, asks, and sleeps.
type requested struct {
	a4      memory.Order // of A4
	word    memory.Order // of the load of R1
	load    memory.Order // of the request, by the owner's pop, and by a thief before it asks
	store   memory.Order // of the request, and of clearing it
	clears  bool         // by an exchange, acquire and release
	asks    bool         // the same, without looking first
	cleared bool         // a fence follows clearing
	idle    bool         // a fence follows A4
}

func (m requested) body(e *control.Engine) {
	var word, deque, asked atomic.Uint32
	asked.Store(1)
	var done sync.WaitGroup
	done.Add(2)
	private, asleep := 1, false
	go hooks.Task(func() { // the owner
		defer done.Done()
		if memory.LoadUint32(&asked, m.load) != 0 { // R4, R6
			if m.clears {
				memory.SwapUint32(&asked, 0, memory.AcqRel)
			} else {
				memory.StoreUint32(&asked, 0, m.store)
			}
			if m.cleared {
				memory.Fence(memory.SeqCst)
			}
			memory.StoreUint32(&deque, 1, memory.Release) // R3
			private = 0
		}
		private++
		if memory.LoadUint32(&word, m.word) != 0 { // R1, R2
			memory.StoreUint32(&deque, 2, memory.Release)
			private = 0
		}
	})()
	go hooks.Task(func() { // the thief
		defer done.Done()
		memory.AddUint32(&word, 1, m.a4) // A4
		if m.idle {
			memory.Fence(memory.SeqCst)
		}
		if memory.LoadUint32(&deque, memory.Acquire) != 0 { // B
			return
		}
		if m.asks { // R5
			memory.SwapUint32(&asked, 1, memory.AcqRel)
		} else if memory.LoadUint32(&asked, m.load) == 0 {
			memory.StoreUint32(&asked, 1, m.store)
		}
		asleep = true
	})()
	done.Wait()
	if private > 0 && asleep && asked.Load() == 0 {
		e.Fail(verdict.LostParallelism, "the owner keeps a job, the thief sleeps, and has not asked")
	}
}

// The table of sleep/README.md, "Private jobs": what R needs of a memory that is weaker than Go's.
func TestRequestsNeedSeqCst(t *testing.T) {
	const sc, rel, acq, relaxed = memory.SeqCst, memory.Release, memory.Acquire, memory.Relaxed
	const tso, views = control.TSO, control.Views
	for _, c := range []struct {
		name string
		requested
		lost []control.Memory
	}{
		{"all seq-cst, as in Go", requested{a4: sc, word: sc, load: sc, store: sc}, nil},
		{"A4 relaxed", requested{a4: relaxed, word: sc, load: sc, store: sc}, []control.Memory{views}},
		{"R1 relaxed", requested{a4: sc, word: relaxed, load: sc, store: sc}, []control.Memory{views}},
		{"A4 and R1 relaxed, as declared", requested{a4: relaxed, word: relaxed, load: sc, store: sc}, []control.Memory{views}},
		{"the request release and acquire", requested{a4: sc, word: sc, load: acq, store: rel}, []control.Memory{tso, views}},
		{"all relaxed, a fence after clearing", requested{a4: relaxed, word: relaxed, load: relaxed, store: relaxed, cleared: true}, []control.Memory{views}},
		{"all relaxed, a fence after A4", requested{a4: relaxed, word: relaxed, load: relaxed, store: relaxed, idle: true}, []control.Memory{tso, views}},
		{"all relaxed, both fences", requested{a4: relaxed, word: relaxed, load: relaxed, store: relaxed, cleared: true, idle: true}, nil},
		{"relaxed, cleared by an exchange", requested{a4: relaxed, word: relaxed, load: relaxed, store: relaxed, clears: true}, []control.Memory{views}},
		{"relaxed, cleared and asked by one", requested{a4: relaxed, word: relaxed, load: relaxed, clears: true, asks: true}, nil},
	} {
		var line []string
		for _, how := range []control.Memory{control.SC, control.TSO, control.Views} {
			n, complete, failure := c.all(t, how)
			want := false
			for _, m := range c.lost {
				want = want || m == how
			}
			if want != (failure != nil) || failure == nil && !complete {
				t.Errorf("%s, %v: complete: %t, %+v", c.name, how, complete, failure)
			}
			if failure == nil {
				line = append(line, fmt.Sprintf("%v: never in all %d", how, n))
				continue
			}
			if failure.Verdict != verdict.ReliesOnSC || failure.Effect != verdict.LostParallelism || failure.Cause == "" {
				t.Errorf("%s, %v: %s, in effect %s, %q", c.name, how, failure.Verdict, failure.Effect, failure.Cause)
			}
			line = append(line, fmt.Sprintf("%v: lost in execution %d (%s)", how, n, failure.Cause))
		}
		t.Logf("%-35s %s", c.name, strings.Join(line, "; "))
	}
}

// all explores all schedules and reads, but for what commutes.
func (m requested) all(t *testing.T, how control.Memory) (n int, complete bool, failure *control.Result) {
	t.Helper()
	by := strategy.DPOR()
	e, err := control.New(control.Options{Strategy: by, Memory: how})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for {
		r, more := e.Run(1, func() { m.body(e) })
		if !more {
			return n, by.(strategy.Exhaustive).Complete(), nil
		}
		n++
		if r.Verdict != verdict.Pass {
			return n, false, &r
		}
	}
}
