package strategy

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A reach is what the executions of an exhaustive search have reached.
type reach struct {
	executions int
	states     map[uint64]outcome
	orders     map[uint64]bool
	schedules  map[string]bool
	whole      bool
}

// search explores a program, up to a limit of executions.
func search(p *program, s Strategy, limit int) reach {
	r := reach{states: map[uint64]outcome{}, orders: map[uint64]bool{}, schedules: map[string]bool{}}
	m := newSim(p)
	r.executions = m.explore(s, 0, func(n int, o outcome) bool {
		r.states[o.state] = o
		r.orders[o.Order] = true
		return n+1 < limit
	})
	r.whole = s.(Exhaustive).Complete()
	return r
}

// differ compares DPOR with unbounded DFS: the same final states and deadlocks in no
// more executions, and each partial order exactly once, but for the executions that
// DPOR itself says are redundant.
func differ(full, reduced reach, d *dpor, orders bool) error {
	switch {
	case !reduced.whole:
		return fmt.Errorf("%d executions, more than the %d of DFS", reduced.executions, full.executions)
	case len(full.states) != len(reduced.states):
		return fmt.Errorf("%d of %d final states", len(reduced.states), len(full.states))
	case orders && len(full.orders) != len(reduced.orders):
		return fmt.Errorf("%d of %d partial orders", len(reduced.orders), len(full.orders))
	case orders && reduced.executions-d.wasted != len(reduced.orders):
		return fmt.Errorf("%d executions, %d of them redundant, for %d partial orders", reduced.executions, d.wasted, len(reduced.orders))
	}
	for state, o := range full.states {
		other, ok := reduced.states[state]
		if !ok || other.deadlocked != o.deadlocked || other.Failed != o.Failed {
			return fmt.Errorf("final state %x: by DFS %+v, by DPOR %+v (%v)", state, o, other, ok)
		}
	}
	return nil
}

// differential runs so many random programs, and returns those whose searches differ.
func differential(t *testing.T, seed uint64, programs int, plant plant, change func(p *program, r *rand.Rand)) (wrong []error) {
	t.Helper()
	const largest = 2500 // executions by DFS
	r := rand.New(rand.NewPCG(seed, 1))
	full, reduced, wasted, deadlocks := 0, 0, 0, 0
	for n := 0; n < programs; {
		p := generate(r, 5+r.IntN(7))
		if change != nil {
			change(p, r)
		}
		all := search(p, DFS(-1), largest)
		if !all.whole {
			continue
		}
		n++
		s := &dpor{plant: plant}
		some := search(p, s, all.executions+1)
		if err := differ(all, some, s, change == nil); err != nil {
			wrong = append(wrong, fmt.Errorf("program %d: %w: %+v", n, err, p))
		}
		full, reduced, wasted = full+all.executions, reduced+some.executions, wasted+s.wasted
		for _, o := range all.states {
			if o.deadlocked {
				deadlocks++
				break
			}
		}
	}
	t.Logf("%d programs, %d with deadlocks: %d executions by DFS, %d by DPOR (%d redundant)", programs, deadlocks, full, reduced, wasted)
	return wrong
}

func TestDPORAgainstDFS(t *testing.T) {
	for _, err := range differential(t, 1, 4000, 0, nil) {
		t.Error(err)
	}
}

// Failed assertions end an execution whatever the others were about to do.
func TestDPORAgainstDFSWithFailures(t *testing.T) {
	failing := func(p *program, r *rand.Rand) {
		i := r.IntN(len(p.tasks))
		at := r.IntN(len(p.tasks[i]) + 1)
		p.tasks[i] = insert(p.tasks[i], at, instr{do: fail})
		p.tasks[i] = insert(p.tasks[i], at, instr{do: skip, reg: 0, a: r.IntN(2), b: 1})
	}
	for _, err := range differential(t, 2, 1000, 0, failing) {
		t.Error(err)
	}
}

// Two mistakes that prototypes had made, and this test had found.
func TestDifferentialFindsPlantedMistakes(t *testing.T) {
	for name, plant := range map[string]plant{"stops at the task's own access": stopAtOwn, "adds the racing task": addRacing} {
		wrong := differential(t, 3, 600, plant, nil)
		t.Logf("%s: %d programs", name, len(wrong))
		if len(wrong) == 0 {
			t.Errorf("%s: not found", name)
		}
	}
}
