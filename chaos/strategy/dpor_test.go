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
	whole      bool
}

// search explores a program, up to a limit of executions.
func search(p *program, s Strategy, limit int) reach {
	r := reach{states: map[uint64]outcome{}, orders: map[uint64]bool{}}
	m := newSim(p)
	r.executions = m.explore(s, 0, func(n int, o outcome) bool {
		r.states[o.state] = o
		r.orders[o.Order] = true
		return n+1 < limit
	})
	r.whole = s.(Exhaustive).Complete()
	return r
}

// How strictly DPOR is compared with unbounded DFS.
type strictness int

const (
	sameStates strictness = iota // the same final states and deadlocks, in no more executions
	sameOrders                   // the same partial orders, too
	onceEach                     // each exactly once, but for what DPOR itself says is redundant
)

func differ(full, reduced reach, d *dpor, as strictness) error {
	switch {
	case !reduced.whole:
		return fmt.Errorf("%d executions, more than the %d of DFS", reduced.executions, full.executions)
	case len(full.states) != len(reduced.states):
		return fmt.Errorf("%d of %d final states", len(reduced.states), len(full.states))
	case as >= sameOrders && len(full.orders) != len(reduced.orders):
		return fmt.Errorf("%d of %d partial orders", len(reduced.orders), len(full.orders))
	case as == onceEach && reduced.executions-d.redundants != len(reduced.orders):
		return fmt.Errorf("%d executions, %d of them redundant, for %d partial orders", reduced.executions, d.redundants, len(reduced.orders))
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
func differential(t *testing.T, seed uint64, programs int, plant plant, as strictness,
	change func(p *program, r *rand.Rand)) (wrong []error) {
	t.Helper()
	const largest = 400 // executions by DFS
	r := rand.New(rand.NewPCG(seed, 1))
	full, reduced, wasted, deadlocks := 0, 0, 0, 0
	for n := 0; n < programs; {
		p := generate(r, 5+r.IntN(7))
		change(p, r)
		all := search(p, DFS(-1), largest)
		if !all.whole {
			continue
		}
		n++
		s := &dpor{plant: plant}
		some := search(p, s, all.executions+1)
		if err := differ(all, some, s, as); err != nil {
			wrong = append(wrong, fmt.Errorf("program %d: %w: %+v", n, err, p))
		}
		full, reduced, wasted = full+all.executions, reduced+some.executions, wasted+s.redundants
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
	for name, test := range map[string]struct {
		programs int
		as       strictness
		change   func(p *program, r *rand.Rand)
	}{
		"sparse": {2000, onceEach, func(*program, *rand.Rand) {}},
		"dense":  {400, onceEach, crowd},
		// How far others have come is another order, but no other failure.
		"with failures": {400, sameStates, mayFail},
		// A step whose first use of an object is not announced may be explored twice.
		"with steps that do more than they say": {300, sameOrders, func(p *program, r *rand.Rand) {
			for range 2 {
				insertAnywhere(p, r, instr{do: quiet, object: r.IntN(2), a: 5})
			}
		}},
		// Fences are one more order of all that there is.
		"with fences": {800, sameStates, func(p *program, r *rand.Rand) {
			for range 1 + r.IntN(3) {
				insertAnywhere(p, r, instr{do: fence, reg: 3})
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, err := range differential(t, 1, test.programs, 0, test.as, test.change) {
				t.Error(err)
			}
		})
	}
}

// crowd has all tasks use the same cell and the same lock.
func crowd(p *program, _ *rand.Rand) {
	for _, task := range p.tasks {
		for i := range task {
			switch task[i].object {
			case cellB:
				task[i].object = cellA
			case lockB:
				task[i].object = lockA
			}
		}
	}
}

// mayFail has a task fail if it has read the wrong value.
func mayFail(p *program, r *rand.Rand) {
	insertAnywhere(p, r, instr{do: skip, reg: 0, a: r.IntN(2), b: 1}, instr{do: fail})
}

func insertAnywhere(p *program, r *rand.Rand, in ...instr) {
	i := r.IntN(len(p.tasks))
	at := r.IntN(len(p.tasks[i]) + 1)
	for j := range in {
		p.tasks[i] = insert(p.tasks[i], at, in[len(in)-1-j])
	}
}

// Two mistakes that prototypes had made, and this test had found.
func TestDifferentialFindsPlantedMistakes(t *testing.T) {
	for name, plant := range map[string]plant{"stops at the task's own access": stopAtOwn, "adds the racing task": addRacing} {
		wrong := differential(t, 3, 400, plant, onceEach, func(*program, *rand.Rand) {})
		t.Logf("%s: %d programs", name, len(wrong))
		if len(wrong) == 0 {
			t.Errorf("%s: not found", name)
		}
	}
}

// Two tasks of n steps have one order if they have nothing to do with each other, and
// as many as schedules if each step writes the same.
func TestDPORCounts(t *testing.T) {
	for n := 1; n <= 5; n++ {
		p := straight(n, n)
		s := DPOR().(*dpor)
		if got := newSim(p).explore(s, 0, always); got != 1 || !s.Complete() || s.redundants != 0 {
			t.Errorf("%d independent steps each: %d executions, complete: %v", n, got, s.Complete())
		}
		for i := range p.tasks {
			for j := range p.tasks[i] {
				p.tasks[i][j].object = 0
			}
		}
		if got, want := newSim(p).explore(DPOR(), 0, always), binomial(2*n, n); got != want {
			t.Errorf("%d dependent steps each: %d executions, want %d", n, got, want)
		}
	}
}

// The order of critical sections is what matters, and not that of a lock after an
// unlock: n tasks that take a lock once have n! orders, and no execution is redundant.
func TestDPORKnowsLocks(t *testing.T) {
	for n, want := range []int{1, 1, 2, 6, 24} {
		if n == 0 {
			continue
		}
		p := &program{present: n, warm: true, objects: []int{0, 0}}
		for range n {
			p.tasks = append(p.tasks, []instr{{do: lock}, {do: load, object: 1}, {do: unlock}})
		}
		s := DPOR().(*dpor)
		if got := newSim(p).explore(s, 0, always); got != want {
			t.Errorf("%d tasks: %d executions (%d redundant), want %d", n, got, s.redundants, want)
		}
	}
}

// What cannot be reversed is not tried: these programs have that many orders, and no
// execution is redundant.
func TestDPORTriesNothingRedundant(t *testing.T) {
	section := []instr{{do: lock}, {do: unlock}}
	bystander := []instr{{do: store, object: 1}}
	for name, test := range map[string]struct {
		want int
		p    *program
	}{
		"a child after its spawn": {1, &program{present: 2, tasks: [][]instr{
			{{do: store}, {do: store, a: 1}, {do: spawn, a: 2}}, bystander, {{do: store, a: 2}}}}},
		"a waiter after the end that it waits for": {1, &program{present: 3, warm: true, tasks: [][]instr{
			{{do: store}, {do: store, a: 1}}, {{do: await, a: 0}, {do: store, a: 2}}, bystander}}},
		"a lock after an unlock": {2, &program{present: 3, warm: true, tasks: [][]instr{section, bystander, section}}},
		"a wait after its signal": {1, &program{present: 3, warm: true, tasks: [][]instr{
			{{do: up}}, {{do: down}}, bystander}}},
	} {
		test.p.objects = []int{0, 0}
		s := DPOR().(*dpor)
		if got := newSim(test.p).explore(s, 0, always); got != test.want {
			t.Errorf("%s: %d executions (%d redundant), want %d", name, got, s.redundants, test.want)
		}
	}
}

// A fence sees for each of two stores whether it came before.
func TestDPORKnowsFences(t *testing.T) {
	r := search(&program{present: 3, warm: true, objects: []int{0, 0}, tasks: [][]instr{
		{{do: fence}}, {{do: store, object: 0, a: 1}}, {{do: store, object: 1, a: 1}}}}, DPOR(), 100)
	if len(r.states) != 4 || !r.whole {
		t.Errorf("%d final states, want 4", len(r.states))
	}
}

// The first task's step ends in a write to x that it did not announce. Where the
// second has gone first, another object has the number that x had: the first must
// not sleep through the second's write to x because of that.
func TestDPORDoesNotTrustNewNumbers(t *testing.T) {
	const a, b, x, never = 0, 1, 2, 3
	p := &program{present: 2, warm: true, objects: []int{0, 0, 0, 0}, tasks: [][]instr{
		{{do: store, object: a}, {do: quiet, object: x, a: 5}},
		{{do: store, object: b}, {do: spawn, a: 2}, {do: store, object: x, a: 1}, {do: load, object: x}},
		{{do: down, object: never}}}}
	s := &dpor{}
	if err := differ(search(p, DFS(-1), 100), search(p, s, 100), s, sameOrders); err != nil {
		t.Error(err)
	}
}

func TestDPORNoticesDivergence(t *testing.T) {
	dense := func(n ...int) *program {
		p := straight(n...)
		for i := range p.tasks {
			for j := range p.tasks[i] {
				p.tasks[i][j].object = 0
			}
		}
		return p
	}
	for name, then := range map[string]*program{
		"fewer tasks":    dense(3),
		"more tasks":     dense(3, 3, 3),
		"another":        {present: 2, warm: true, objects: []int{0}, tasks: [][]instr{{{do: load}, {do: load}, {do: load}}, {{do: load}, {do: load}}}},
		"an early end":   dense(1, 1),
		"a shorter task": dense(2, 3),
	} {
		s := DPOR()
		newSim(dense(3, 3)).execute(s, Execution{})
		var err error
		for i := 0; i < 20 && err == nil; i++ {
			err = divergence(func() { newSim(then).execute(s, Execution{Number: 1}) })
		}
		if err == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}

// A task that spins although another could end its loop is left for it in the end.
func TestDPORPassesTheLimitOfSteps(t *testing.T) {
	m := newSim(&program{present: 2, warm: true, objects: []int{0, 0}, tasks: [][]instr{
		{{do: load}, {do: skip, a: 0, b: -2}}, {{do: store, object: 1}, {do: store, a: 1}}}})
	m.limit = 8
	s := DPOR().(Exhaustive)
	ended := 0
	m.explore(s, 0, func(_ int, o outcome) bool {
		if !o.Cut {
			ended++
		}
		return true
	})
	if ended == 0 || s.Complete() {
		t.Errorf("%d executions ended; complete although others were cut: %v", ended, s.Complete())
	}
}
