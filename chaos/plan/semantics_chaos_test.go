//go:build chaos

package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

var (
	hit   = hooks.Declare("semantics/hit", "for these tests", hooks.Disturbs|hooks.Drops)
	other = hooks.Declare("semantics/other", "for these tests", hooks.Drops)
)

// hits is how often each task passes.
const hits = 24

// A run is what a fault did: of each of three tasks, one after the other, the numbers
// of the hits at which it fired, from 1; and what the engine counted.
type run struct {
	fired       [3][]int
	hits, fires int
	skipped     int
}

// engines run the subject under a plan of that fault and that seed.
var engines = map[string]func(t *testing.T, f plan.Fault, seed uint64) run{
	"native": func(t *testing.T, f plan.Fault, seed uint64) (r run) {
		e, err := native.Arm(plan.Plan{Seed: seed, Faults: []plan.Fault{f}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Disarm()
		r.subject()
		c := e.Counts().Faults[0]
		r.hits, r.fires, r.skipped = int(c.Hits), int(c.Fires), int(c.Skipped)
		return r
	},
	"control": func(t *testing.T, f plan.Fault, seed uint64) (r run) {
		e, err := control.New(control.Options{Plan: plan.Plan{Faults: []plan.Fault{f}}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		result, _ := e.Run(seed, r.subject)
		if result.Summary != "" {
			t.Fatal(result.Summary)
		}
		r.hits, r.fires, r.skipped = result.Faults[0].Hits, result.Faults[0].Fires, result.Faults[0].Skipped
		return r
	},
}

// subject has three tasks pass the point, one after the other.
func (r *run) subject() {
	for i, name := range []string{"worker 0", "worker 1", "helper"} {
		var done sync.WaitGroup
		done.Add(1)
		go hooks.Task(func() {
			defer done.Done()
			hooks.Name(name)
			for n := range hits {
				hooks.Notify(other)
				if hooks.Notify(hit) == 0 {
					r.fired[i] = append(r.fired[i], n+1)
				}
			}
		})()
		done.Wait()
	}
}

// numbers are those from first in steps.
func numbers(first, step int) (all []int) {
	for n := first; n <= hits; n += step {
		all = append(all, n)
	}
	return all
}

// What the combinations mean where no draw is made: see plan.Fault.
func TestWhenAFaultFires(t *testing.T) {
	all := numbers(1, 1)
	for _, c := range []struct {
		name  string
		fault plan.Fault
		want  [3][]int
		hits  int
	}{
		{"always", plan.Fault{}, [3][]int{all, all, all}, 3 * hits},
		{"one task", plan.Fault{Task: "worker 1"}, [3][]int{nil, all, nil}, hits},
		{"a pattern", plan.Fault{Task: "worker *"}, [3][]int{all, all, nil}, 2 * hits},
		{"a pattern of paths", plan.Fault{Task: "main/*"}, [3][]int{all, all, all}, 3 * hits},
		{"a path", plan.Fault{Task: "main/2"}, [3][]int{nil, nil, all}, hits},
		{"no task", plan.Fault{Task: "thief *"}, [3][]int{}, 0},
		{"from", plan.Fault{From: 20}, [3][]int{numbers(20, 1), numbers(20, 1), numbers(20, 1)}, 3 * hits},
		{"every", plan.Fault{Every: 5}, [3][]int{numbers(5, 5), numbers(5, 5), numbers(5, 5)}, 3 * hits},
		{"every, from the first", plan.Fault{From: 1, Every: 10}, [3][]int{{1, 11, 21}, {1, 11, 21}, {1, 11, 21}}, 3 * hits},
		{"every, from later", plan.Fault{From: 7, Every: 10}, [3][]int{{7, 17}, {7, 17}, {7, 17}}, 3 * hits},
		{"beyond", plan.Fault{From: 25}, [3][]int{}, 3 * hits},
		{"count", plan.Fault{Count: 3}, [3][]int{{1, 2, 3}}, 3},
		{"count of all tasks together", plan.Fault{Every: 10, Count: 3}, [3][]int{{10, 20}, {10}}, hits + 10},
		{"count in the scope", plan.Fault{Every: 10, Count: 3, Task: "*r *1"}, [3][]int{nil, {10, 20}}, hits},
		{"count, from", plan.Fault{From: 23, Count: 3}, [3][]int{{23, 24}, {23}}, hits + 23},
		{"all", plan.Fault{Task: "worker *", From: 4, Every: 8, Count: 5, Probability: 1}, [3][]int{{4, 12, 20}, {4, 12}}, hits + 12},
	} {
		for engine, do := range engines {
			f := c.fault
			f.At, f.Kind = "semantics/hit", hooks.Drops
			r := do(t, f, 1)
			fires := len(c.want[0]) + len(c.want[1]) + len(c.want[2])
			if fmt.Sprint(r.fired) != fmt.Sprint(c.want) || r.hits != c.hits || r.fires != fires {
				t.Errorf("%s, %s: fired at %v, %d hits, %d fires; want %v, %d, %d", c.name, engine, r.fired, r.hits, r.fires, c.want, c.hits, fires)
			}
			if r.hits-r.skipped != fires { // each draw fires
				t.Errorf("%s, %s: %d of %d hits were left out, want %d", c.name, engine, r.skipped, r.hits, r.hits-fires)
			}
		}
	}
}

// With a draw: From, Every and Count leave out fires, and change none of the others.
func TestADrawDependsOnTheVisitOnly(t *testing.T) {
	for engine, do := range engines {
		drawn, cut, chosen := 0, 0, 0
		for seed := range uint64(20) {
			f := plan.Fault{At: "semantics/hit", Kind: hooks.Drops, Probability: 0.4}
			base := do(t, f, seed)
			if again := do(t, f, seed); fmt.Sprint(again) != fmt.Sprint(base) {
				t.Fatalf("%s: the same seed fires at %v and at %v", engine, base.fired, again.fired)
			}
			drawn += base.fires

			f.From, f.Every = 3, 4
			every := do(t, f, seed)
			for i := range base.fired {
				want := slices.DeleteFunc(slices.Clone(base.fired[i]), func(n int) bool { return n < 3 || (n-3)%4 != 0 })
				if !slices.Equal(every.fired[i], want) {
					t.Fatalf("%s: from 3, every 4 fires at %v of %v", engine, every.fired[i], base.fired[i])
				}
			}
			chosen += every.fires

			f.From, f.Every, f.Count = 0, 0, 11
			bounded := do(t, f, seed)
			left := 11
			for i := range base.fired {
				n := min(left, len(base.fired[i]))
				left -= n
				if !slices.Equal(bounded.fired[i], base.fired[i][:n]) {
					t.Fatalf("%s: a count of 11 fires at %v, want the first of %v", engine, bounded.fired, base.fired)
				}
			}
			cut += bounded.fires
		}
		// 20 seeds of 72 hits, standard deviation 19.
		if drawn < 480 || drawn > 672 || cut != 20*11 || chosen < 100 || chosen >= drawn/2 {
			t.Errorf("%s: %d of %d fired, %d of those were chosen, %d were within the count", engine, drawn, 20*3*hits, chosen, cut)
		}
	}
}
