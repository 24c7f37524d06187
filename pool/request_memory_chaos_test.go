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
// asked already: it pops, and meets the request, and pushes. The thief has searched and failed, is
// counted as sleeping, asks, and sleeps.
type requested struct {
	f5    memory.Order // of F5
	fence bool         // SleepFence, between F5 and F7
	word  memory.Order // of the load of the counters in R2
	load  memory.Order // of the request
	store memory.Order // the same
	cas   memory.Order // of taking it back: R2
	meets bool         // by an exchange, acquire and release
	asks  bool         // the same, without looking first
	after bool         // a fence follows meeting
}

func (m requested) body(e *control.Engine) {
	const unasked, asked, met = 0, 1, 2
	var word, request atomic.Uint32
	request.Store(asked)
	var done sync.WaitGroup
	done.Add(2)
	private, asleep := 1, false
	go hooks.Task(func() { // the owner
		defer done.Done()
		if memory.LoadUint32(&request, m.load) == asked { // R4, R6
			if m.meets {
				memory.SwapUint32(&request, met, memory.AcqRel)
			} else {
				memory.StoreUint32(&request, met, m.store)
			}
			if m.after {
				memory.Fence(memory.SeqCst)
			}
			private = 0 // R3
		}
		private++
		switch memory.LoadUint32(&request, m.load) { // R1, R2
		case asked:
			private = 0
		case met:
			if memory.LoadUint32(&word, m.word) != 0 || !memory.CompareAndSwapUint32(&request, met, unasked, m.cas, m.load) {
				private = 0
			}
		}
	})()
	go hooks.Task(func() { // the thief
		defer done.Done()
		memory.AddUint32(&word, 1, m.f5) // F5
		if m.fence {
			memory.Fence(memory.SeqCst) // F6
		}
		if m.asks { // F7, R5
			memory.SwapUint32(&request, asked, memory.AcqRel)
		} else if memory.LoadUint32(&request, m.load) != asked {
			memory.StoreUint32(&request, asked, m.store)
		}
		asleep = true
	})()
	done.Wait()
	if private > 0 && asleep && request.Load() == unasked {
		e.Fail(verdict.LostParallelism, "the owner keeps a job, the thief sleeps, and has not asked")
	}
}

// The table of README.md, "Private jobs": what R needs of a memory that is weaker than Go's.
func TestRequestsNeedSeqCst(t *testing.T) {
	const sc, rel, acq, relaxed = memory.SeqCst, memory.Release, memory.Acquire, memory.Relaxed
	const tso, views = control.TSO, control.Views
	for _, c := range []struct {
		name string
		requested
		lost []control.Memory
	}{
		{"all seq-cst, as in Go", requested{f5: sc, word: sc, load: sc, store: sc, cas: sc}, nil},
		{"as declared: F5 relaxed", requested{f5: relaxed, fence: true, word: sc, load: sc, store: sc, cas: sc}, nil},
		{"the same, no SleepFence", requested{f5: relaxed, word: sc, load: sc, store: sc, cas: sc}, []control.Memory{views}},
		{"as declared, R2's look relaxed", requested{f5: relaxed, fence: true, word: relaxed, load: sc, store: sc, cas: sc}, []control.Memory{views}},
		{"the request release and acquire", requested{f5: sc, fence: true, word: sc, load: acq, store: rel, cas: memory.AcqRel}, []control.Memory{tso, views}},
		{"the same, a fence after meeting", requested{f5: relaxed, fence: true, word: relaxed, load: acq, store: rel, cas: memory.AcqRel, after: true}, nil},
		{"all relaxed, both fences", requested{f5: relaxed, fence: true, word: relaxed, load: relaxed, store: relaxed, cas: relaxed, after: true}, nil},
		{"all relaxed, met by an exchange", requested{f5: relaxed, fence: true, word: relaxed, load: relaxed, store: relaxed, cas: relaxed, meets: true}, []control.Memory{views}},
		{"the same, asked by one, too", requested{f5: relaxed, word: relaxed, load: relaxed, cas: relaxed, meets: true, asks: true}, nil},
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
	e, err := control.New(control.Options{Strategy: by, Memory: how, Grace: -1})
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
