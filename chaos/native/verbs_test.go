//go:build chaos

package native

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// verbs calls all four, and returns what they returned.
func verbs(v uint64) string {
	hooks.At(atPoint)
	return fmt.Sprint(hooks.Notify(notifyPoint), hooks.Fail(failPoint), hooks.Value(valuePoint, v))
}

func TestEveryVerb(t *testing.T) {
	top := uint64(math.MaxUint64)
	const notify, fail, value = "native/notify", "native/fail", "native/value"
	for name, c := range map[string]struct {
		faults []chaos.Fault
		want   string // of verbs(7)
	}{
		"nothing":            {nil, "1 false 7"},
		"drop":               {[]chaos.Fault{{At: notify, Kind: hooks.Drops}}, "0 false 7"},
		"duplicate":          {[]chaos.Fault{{At: notify, Kind: hooks.Duplicates}}, "2 false 7"},
		"the last one: 2":    {[]chaos.Fault{{At: notify, Kind: hooks.Drops}, {At: notify, Kind: hooks.Duplicates}}, "2 false 7"},
		"the last one: 0":    {[]chaos.Fault{{At: notify, Kind: hooks.Duplicates}, {At: notify, Kind: hooks.Drops}}, "0 false 7"},
		"fail":               {[]chaos.Fault{{At: fail, Kind: hooks.Fails}}, "1 true 7"},
		"spurious":           {[]chaos.Fault{{At: fail, Kind: hooks.SpuriousWakes}}, "1 true 7"},
		"roll by default":    {[]chaos.Fault{{At: value, Kind: hooks.Rolls}}, "1 false 5"},
		"roll by":            {[]chaos.Fault{{At: value, Kind: hooks.Rolls, By: 5}}, "1 false 12"},
		"roll below zero":    {[]chaos.Fault{{At: value, Kind: hooks.Rolls, By: -8}}, "1 false 18446744073709551615"},
		"roll to":            {[]chaos.Fault{{At: value, Kind: hooks.Rolls, To: &top}}, "1 false 18446744073709551615"},
		"roll to, then by":   {[]chaos.Fault{{At: value, Kind: hooks.Rolls, To: &top}, {At: value, Kind: hooks.Rolls, By: 3}}, "1 false 2"},
		"another task":       {[]chaos.Fault{{At: value, Kind: hooks.Rolls, Task: "main/0"}}, "1 false 7"},
		"this task":          {[]chaos.Fault{{At: value, Kind: hooks.Rolls, Task: "main"}}, "1 false 5"},
		"everywhere, delays": {everywhere(chaos.Fault{Kind: hooks.Delays, Max: time.Nanosecond}), "1 false 7"},
		"everywhere, yields": {everywhere(chaos.Fault{Kind: hooks.Yields}), "1 false 7"},
	} {
		t.Run(name, func(t *testing.T) {
			e := arm(t, 1, c.faults...)
			if got := verbs(7); got != c.want {
				t.Errorf("verbs returned %q, want %q", got, c.want)
			}
			for i, f := range e.Counts().Faults {
				want := FaultCount{At: c.faults[i].At, Kind: c.faults[i].Kind.String(), Hits: 1, Fires: 1}
				if c.faults[i].Task == "main/0" {
					want.Hits, want.Fires = 0, 0
				}
				if f != want {
					t.Errorf("faults[%d] counted %+v, want %+v", i, f, want)
				}
			}
		})
	}
}

// everywhere returns the fault at each of the four points.
func everywhere(f chaos.Fault) []chaos.Fault {
	var faults []chaos.Fault
	for _, at := range []string{"native/at", "native/notify", "native/fail", "native/value"} {
		f.At = at
		faults = append(faults, f)
	}
	return faults
}

// A point may offer a fault that this verb cannot carry: then it cannot fire.
func TestAVerbCarriesOnlyItsFaults(t *testing.T) {
	e := arm(t, 1,
		chaos.Fault{At: "native/notify", Kind: hooks.Drops},
		chaos.Fault{At: "native/fail", Kind: hooks.Fails},
		chaos.Fault{At: "native/value", Kind: hooks.Rolls})
	hooks.At(notifyPoint)
	hooks.At(failPoint)
	hooks.At(valuePoint)
	for _, f := range e.Counts().Faults {
		if f.Hits != 0 || f.Fires != 0 {
			t.Errorf("%s at %s: %d hits, %d fires by At", f.Kind, f.At, f.Hits, f.Fires)
		}
	}
}

func TestDelaysAddUp(t *testing.T) {
	e := arm(t, 1,
		chaos.Fault{At: "native/at", Kind: hooks.Delays, Min: 2, Max: 2},
		chaos.Fault{At: "native/at", Kind: hooks.Yields},
		chaos.Fault{At: "native/at", Kind: hooks.Delays, Min: 3, Max: 3})
	hooks.At(atPoint)
	events := e.Events()[0].Events
	if len(events) != 1 || events[0].Fault != "delay|yield" || events[0].Detail != "5ns" {
		t.Errorf("recorded %+v, want one event with a delay of 5ns", events)
	}
	o := disturbance{}
	f := newFault(0, chaos.Fault{Kind: hooks.Delays, Min: math.MaxInt64, Max: math.MaxInt64})
	o.apply(f, 1)
	o.apply(f, 1)
	if o.delay != math.MaxInt64 {
		t.Errorf("two endless delays make %d ns", o.delay)
	}
}

// Catches: a kind of fault that nothing carries out.
func TestEachKindIsApplied(t *testing.T) {
	for _, kind := range seam.Faults.Kinds() {
		none := disturbance{notify: 1}
		o := none
		o.apply(newFault(0, chaos.Fault{Kind: kind, Min: 1, Max: 1, By: 1}), 1)
		if o == none {
			t.Errorf("%s does nothing", kind)
		}
	}
}

// With probability p, n visits fire n*p times, give or take five standard
// deviations; the bounds hold for this seed on every machine.
func TestProbability(t *testing.T) {
	const n = 20_000
	ps := []float64{0.01, 0.1, 0.5, 0.99}
	var faults []chaos.Fault
	for _, p := range ps {
		faults = append(faults, chaos.Fault{At: "native/value", Kind: hooks.Rolls, By: 1, Probability: p})
	}
	e := arm(t, 42, faults...)
	sums := map[uint64]int{} // how many of the four fired at one visit
	for range n {
		sums[hooks.Value(valuePoint, 0)]++
	}
	for i, f := range e.Counts().Faults {
		want, deviation := n*ps[i], math.Sqrt(n*ps[i]*(1-ps[i]))
		if f.Hits != n || math.Abs(float64(f.Fires)-want) > 5*deviation {
			t.Errorf("p = %v: %d of %d fired, want %.0f +- %.0f", ps[i], f.Fires, f.Hits, want, 5*deviation)
		}
	}
	// They fire independently of each other: all four together with the product.
	want := n * 0.01 * 0.1 * 0.5 * 0.99
	if got := float64(sums[4]); math.Abs(got-want) > 5*math.Sqrt(want) {
		t.Errorf("all four fired together %v times, want %.0f", got, want)
	}
}

// The same over tasks rather than visits: first visits of 4000 tasks.
func TestProbabilityOverTasks(t *testing.T) {
	const n, p = 4000, 0.25
	e := arm(t, 42, chaos.Fault{At: "native/at", Kind: hooks.Yields, Probability: p})
	done := make(chan struct{})
	for range n {
		go hooks.Task(func() {
			hooks.At(atPoint)
			done <- struct{}{}
		})()
		<-done
	}
	f := e.Counts().Faults[0]
	if deviation := math.Sqrt(n * p * (1 - p)); f.Hits != n || math.Abs(float64(f.Fires)-n*p) > 5*deviation {
		t.Errorf("%d of %d fired, want %v +- %.0f", f.Fires, f.Hits, n*p, 5*deviation)
	}
}

func TestCountBoundsAllTasksTogether(t *testing.T) {
	const tasks, visits, count = 8, 1000, 17
	e := arm(t, 3, chaos.Fault{At: "native/notify", Kind: hooks.Drops, Probability: 0.5, Count: count})
	dropped := make(chan int, tasks)
	for range tasks {
		go hooks.Task(func() {
			n := 0
			for range visits {
				if hooks.Notify(notifyPoint) == 0 {
					n++
				}
			}
			dropped <- n
		})()
	}
	total := 0
	for range tasks {
		total += <-dropped
	}
	f := e.Counts().Faults[0]
	if total != count || f.Fires != count {
		t.Errorf("%d were dropped and %d counted, want %d", total, f.Fires, count)
	}
	if f.Hits < count || f.Hits >= tasks*visits {
		t.Errorf("%d hits: it could have fired until the count was used up, not after", f.Hits)
	}
}

func TestCountWithoutProbabilityIsTheFirst(t *testing.T) {
	e := arm(t, 3, chaos.Fault{At: "native/notify", Kind: hooks.Drops, Count: 2})
	var got []int
	for range 4 {
		got = append(got, hooks.Notify(notifyPoint))
	}
	if !slices.Equal(got, []int{0, 0, 1, 1}) {
		t.Errorf("Notify returned %v", got)
	}
	if f := e.Counts().Faults[0]; f.Hits != 2 || f.Fires != 2 {
		t.Errorf("counted %+v, want 2 and 2", f)
	}
}

func TestScope(t *testing.T) {
	e := arm(t, 0,
		chaos.Fault{At: "native/notify", Kind: hooks.Drops, Task: "worker 1"},
		chaos.Fault{At: "native/fail", Kind: hooks.Fails, Task: "main/2"},
		chaos.Fault{At: "native/value", Kind: hooks.Rolls, By: 1, Task: "main"})
	results := make([]string, 4)
	done := make(chan struct{})
	for i := range results {
		go hooks.Task(func() {
			before := verbs(0)
			hooks.Name(fmt.Sprintf("worker %d", i))
			results[i] = before + ", named " + verbs(0)
			hooks.Name("someone else")
			if got := hooks.Notify(notifyPoint); got != 1 {
				t.Errorf("a task that gave up its name is still struck: Notify = %d", got)
			}
			done <- struct{}{}
		})()
	}
	for range results {
		<-done
	}
	want := []string{
		"1 false 0, named 1 false 0",
		"1 false 0, named 0 false 0",
		"1 true 0, named 1 true 0",
		"1 false 0, named 1 false 0",
	}
	if !slices.Equal(results, want) {
		t.Errorf("got %q, want %q", results, want)
	}
	if got := verbs(0); got != "1 false 1" {
		t.Errorf("main got %q", got)
	}
	for i, want := range []uint64{1, 2, 1} {
		if f := e.Counts().Faults[i]; f.Hits != want || f.Fires != want {
			t.Errorf("faults[%d] counted %d hits, %d fires, want %d", i, f.Hits, f.Fires, want)
		}
	}
}
