//go:build chaos

package control

import (
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

var (
	pointOpen   = hooks.Declare("control-test/open", "for these tests", hooks.Disturbs)
	pointNotify = hooks.Declare("control-test/notify", "for these tests", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	pointTry    = hooks.Declare("control-test/try", "for these tests", hooks.Disturbs|hooks.Fails)
	pointCount  = hooks.Declare("control-test/count", "for these tests", hooks.Rolls)
)

// everything uses a bit of everything, faults too, and ends in many ways.
func everything() {
	var mu sync.Mutex
	var rw sync.RWMutex
	var x atomic.Uint64
	c := sync.NewCond(&mu)
	ready := 0
	for i := range 3 {
		go hooks.Task(func() {
			hooks.Name("worker")
			mu.Lock()
			for ready <= i {
				c.Wait()
			}
			mu.Unlock()
			hooks.At(pointOpen)
			rw.RLock()
			x.Add(1)
			rw.RUnlock()
			time.Sleep(time.Duration(i) * time.Second)
			rw.Lock()
			x.Store(hooks.Value(pointCount, x.Load()))
			rw.Unlock()
		})()
	}
	for range 3 {
		mu.Lock()
		ready++
		for range hooks.Notify(pointNotify) {
			c.Broadcast()
		}
		mu.Unlock()
		for !hooks.Fail(pointTry) && !x.CompareAndSwap(x.Load(), x.Load()+1) {
			hooks.Gosched()
		}
	}
}

var everyFault = plan.Plan{Faults: []plan.Fault{
	{At: "control-test/open", Kind: hooks.Delays, Min: 1, Max: 3 * 1e9, Probability: 0.3},
	{At: "control-test/open", Kind: hooks.Yields, Probability: 0.3, Task: "worker"},
	{At: "control-test/notify", Kind: hooks.Drops, Probability: 0.2, Count: 2},
	{At: "control-test/notify", Kind: hooks.Duplicates, Probability: 0.2},
	{At: "control-test/try", Kind: hooks.Fails, Probability: 0.5},
	{At: "control-test/count", Kind: hooks.Rolls, Probability: 0.2},
	{At: "atomic/add", Kind: hooks.Delays, Max: 10, Probability: 0.1},
	{At: "sync/mutex-lock", Kind: hooks.Yields, Probability: 0.1, Task: "main/1"},
}}

// The same seed gives the same trace, and so does the schedule: whatever the
// mechanism, the number of processors, and the detector. The last two are checked
// against hashes that were computed elsewhere.
func TestTheSameSeedGivesTheSameTrace(t *testing.T) {
	const executions = 200
	var hashes []uint64
	var schedules []strategy.Schedule
	verdicts := make(map[verdict.Verdict]int)
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how, Plan: everyFault})
		for n := range executions {
			r, _ := e.Run(uint64(n), everything)
			if n == len(hashes) {
				hashes = append(hashes, r.Hash)
				schedules = append(schedules, r.Schedule.Clone())
				verdicts[r.Verdict]++
			} else if r.Hash != hashes[n] {
				t.Fatalf("seed %d: trace %016x, want %016x", n, r.Hash, hashes[n])
			}
		}
	})
	if len(verdicts) < 2 || verdicts[verdict.Pass] == 0 {
		t.Errorf("verdicts %v, want several", verdicts)
	}
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		for n := range executions {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n%2 + 1))
			r, unused := e.Repeat(schedules[n], everything)
			if r.Hash != hashes[n] || unused.Len() != 0 {
				t.Fatalf("repeating seed %d: trace %016x, want %016x; %d entries did not apply", n, r.Hash, hashes[n], unused.Len())
			}
			if len(r.Schedule.Deviations) != len(schedules[n].Deviations) || len(r.Schedule.Fires) != len(schedules[n].Fires) {
				t.Fatalf("repeating seed %d took another schedule", n)
			}
		}
	})
	const first = 0xeda29ed79341e206
	if hashes[0] != first {
		t.Errorf("seed 0: trace %016x, want %016x", hashes[0], uint64(first))
	}
}

// Different seeds explore.
func TestSeedsDiffer(t *testing.T) {
	e := start(t, Options{})
	orders := make(map[uint64]bool)
	traces := make(map[uint64]bool)
	for n := range 200 {
		r, _ := e.Run(uint64(n), everything)
		orders[r.Order], traces[r.Hash] = true, true
	}
	if len(traces) < 150 || len(orders) < 50 {
		t.Errorf("%d traces and %d partial orders of 200 executions", len(traces), len(orders))
	}
}

// The hash of the partial order is blind for what commutes, and for nothing else.
func TestOrder(t *testing.T) {
	count := func(subject func()) (orders, traces int) {
		e := start(t, Options{})
		defer e.Close()
		o, h := make(map[uint64]bool), make(map[uint64]bool)
		for n := range 500 {
			r, _ := e.Run(uint64(n), subject)
			o[r.Order], h[r.Hash] = true, true
		}
		return len(o), len(h)
	}
	apart := func() {
		var x, y atomic.Uint64
		tasks(func() { x.Add(1); x.Add(1) }, func() { y.Add(1); y.Add(1) })
	}
	if orders, traces := count(apart); orders != 1 || traces < 6 {
		t.Errorf("two tasks that have nothing in common: %d partial orders, want 1; %d traces, want 6 or more", orders, traces)
	}
	readers := func() {
		var x atomic.Uint64
		tasks(func() { x.Load(); x.Load() }, func() { x.Load(); x.Load() })
	}
	if orders, _ := count(readers); orders != 1 {
		t.Errorf("two readers: %d partial orders, want 1", orders)
	}
	writers := func() {
		var x atomic.Uint64
		tasks(func() { x.Add(1); x.Add(1) }, func() { x.Add(1); x.Add(1) })
	}
	if orders, _ := count(writers); orders != 6 {
		t.Errorf("two writers of two writes each: %d partial orders, want 6", orders)
	}
}
