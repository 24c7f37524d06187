//go:build chaos

package control

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// handover: one task reads what another writes before it passes a point. said is what
// was read, and virtual how much time has passed.
func handover(said *int64, virtual *time.Duration) func() {
	return func() {
		var x atomic.Int64
		var both sync.WaitGroup
		both.Add(2)
		begin := time.Now()
		go hooks.Task(func() {
			defer both.Done()
			hooks.At(pointOpen)
			*said = x.Load()
		})()
		go hooks.Task(func() {
			defer both.Done()
			x.Store(1)
			hooks.Notify(pointNotify)
			x.Store(2)
		})()
		both.Wait()
		*virtual = time.Since(begin)
	}
}

var held = plan.Plan{Faults: []plan.Fault{{At: "control-test/open", Kind: hooks.Holds, Until: "control-test/notify"}}}

// Under every schedule the reader comes after the point: unless it comes so late that
// no task is left to pass it, and then it is held until no task can continue. What happened is
// repeated from the schedule alone.
func TestAHoldOrdersTasks(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		var said int64
		var virtual time.Duration
		body := handover(&said, &virtual)
		e := start(t, Options{Switch: how, Plan: held})
		plain := make(map[int64]int)
		with := make(map[string]int)
		type one struct {
			schedule strategy.Schedule
			hash     uint64
			what     string
		}
		var all []one
		for n := range 200 {
			r, _ := e.Run(uint64(n), body)
			c := r.Faults[0]
			if r.Verdict != verdict.Pass || c.Hits != 1 || c.Fires != 1 || (c.Expired == 1) != (virtual == plan.HoldLimit) {
				t.Fatalf("seed %d: %s, %+v after %v", n, r.Verdict, c, virtual)
			}
			what := fmt.Sprintf("read %d, expired %d", said, c.Expired)
			with[what]++
			all = append(all, one{r.Schedule.Clone(), r.Hash, fmt.Sprint(said, virtual)})
		}
		want(t, with, "read 1, expired 0", "read 2, expired 0", "read 2, expired 1")
		e.Close()

		e = start(t, Options{Switch: how})
		for n := range 200 {
			e.Run(uint64(n), body)
			plain[said]++
		}
		if plain[0] == 0 {
			t.Errorf("without a hold it reads %v: the test proves nothing", plain)
		}
		for n, o := range all {
			r, unused := e.Repeat(o.schedule, body)
			if r.Hash != o.hash || unused.Len() != 0 || fmt.Sprint(said, virtual) != o.what {
				t.Fatalf("repeating seed %d: trace %016x, want %016x; %d entries did not apply", n, r.Hash, o.hash, unused.Len())
			}
		}
	})
}

// What reduces finds what all schedules find, also of tasks that have nothing but the
// hold in common.
func TestHoldsUnderReduction(t *testing.T) {
	var said int64
	var virtual time.Duration
	for _, name := range []string{"dfs", "dpor"} {
		for _, c := range []struct {
			body func()
			want []string
		}{
			{handover(&said, &virtual), []string{"read 1, expired 0, pass", "read 2, expired 0, pass", "read 2, expired 1, pass"}},
			{func() {
				said = 0
				tasks(func() { hooks.At(pointOpen) }, func() { hooks.Notify(pointNotify) })
			}, []string{"read 0, expired 0, pass", "read 0, expired 1, pass"}},
		} {
			s, err := strategy.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			e := start(t, Options{Strategy: s, Plan: held})
			found := make(map[string]int)
			for {
				r, more := e.Run(1, c.body)
				if !more {
					break
				}
				found[fmt.Sprintf("read %d, expired %d, %s", said, r.Faults[0].Expired, r.Verdict)]++
			}
			e.Close()
			want(t, found, c.want...)
		}
	}
}

// Two that wait for each other continue, and so do those that are held again and again.
func TestHoldsThatNobodyEnds(t *testing.T) {
	e := start(t, Options{Plan: plan.Plan{Faults: []plan.Fault{
		{At: "control-test/open", Kind: hooks.Holds, Until: "control-test/notify", Max: time.Hour},
		{At: "control-test/notify", Kind: hooks.Holds, Until: "control-test/open", Max: time.Minute},
	}}})
	for n := range 50 {
		r, _ := e.Run(uint64(n), func() {
			tasks(func() { hooks.At(pointOpen) }, func() { hooks.Notify(pointNotify) })
		})
		if r.Verdict != verdict.Pass || r.Faults[0].Expired != 0 || r.Faults[1].Expired != 1 {
			t.Fatalf("%s: %s %+v, want that the shorter hold expires and ends the other", r.Verdict, r.Summary, r.Faults)
		}
		r, _ = e.Run(uint64(n), func() {
			for range 3 {
				hooks.At(pointOpen)
			}
		})
		if r.Verdict != verdict.Pass || r.Faults[0].Expired != 3 {
			t.Fatalf("%s: %s %+v, want three that expire", r.Verdict, r.Summary, r.Faults)
		}
	}
}

// Four tasks delayed at one point are delayed at the same time: in virtual time, which
// reports exactly, as long as one.
func TestDelaysOverlap(t *testing.T) {
	const d = 100 * time.Millisecond
	e := start(t, Options{Plan: plan.Plan{Faults: []plan.Fault{{At: "control-test/open", Kind: hooks.Delays, Min: d, Max: d}}}})
	for n := range 20 {
		var took time.Duration
		r, _ := e.Run(uint64(n), func() {
			begin := time.Now()
			var all sync.WaitGroup
			all.Add(4)
			for range 4 {
				go hooks.Task(func() { defer all.Done(); hooks.At(pointOpen) })()
			}
			all.Wait()
			took = time.Since(begin)
		})
		if took != d || r.Faults[0].Fires != 4 {
			t.Fatalf("seed %d: %d delays of %v took %v", n, r.Faults[0].Fires, d, took)
		}
	}
}
