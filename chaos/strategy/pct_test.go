package strategy

import (
	"math"
	"slices"
	"testing"
)

// failures returns how many of n executions fail.
func failures(p *program, s Strategy, n int) int {
	failed := 0
	newSim(p).explore(s, 1, func(i int, o outcome) bool {
		if o.Failed {
			failed++
		}
		return i+1 < n
	})
	return failed
}

// The bound of the paper is tight for these programs but for the constant 1/n, so
// a change that is lost, or drawn from too many or too few steps, is seen.
func TestPCTFindsAsOftenAsItsBound(t *testing.T) {
	for _, test := range []struct {
		name       string
		p          *program
		d, k, runs int
	}{
		{"depth 2", window(10, 10, false), 2, 23, 20_000},
		{"depth 2, at the end", window(20, 0, false), 2, 23, 20_000},
		{"depth 2, at the beginning", window(1, 20, false), 2, 24, 20_000},
		{"depth 3", window(6, 6, true), 3, 16, 60_000},
		{"depth 2 by a deeper search", window(10, 10, false), 3, 23, 20_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := float64(len(test.p.tasks))
			want := float64(test.runs) / (n * math.Pow(float64(test.k), float64(test.d-1)))
			got := failures(test.p, PCT(test.d), test.runs)
			t.Logf("%d of %d; the bound is %.0f", got, test.runs, want)
			if float64(got) < want-4*math.Sqrt(want) {
				t.Errorf("found %d times in %d, the bound is %.0f", got, test.runs, want)
			}
		})
	}
}

// A search of depth 2 has no way to find a bug of depth 3, so that finding it is
// what the third priority did.
func TestPCTOfLessDepthFindsNothing(t *testing.T) {
	if got := failures(window(6, 6, true), PCT(2), 20_000); got > 1 { // the first execution is random
		t.Errorf("found %d times", got)
	}
	if got := failures(window(6, 6, true), PCTCycle(), 40_000); got < 40 {
		t.Errorf("found %d times by the cycle of depths", got)
	}
}

// changes of d-1 steps are distinct, within 1..k-1, and each is as likely.
func TestPCTDrawsStepsEvenly(t *testing.T) {
	const k, n, runs = 9, 3, 80_000
	p := PCT(n + 1).(*pct)
	p.lengths[0] = k
	var first, any [k]int
	for i := range runs {
		p.source.Seed(uint64(i), stream)
		p.changes, p.sorted = p.changes[:0], p.sorted[:0]
		p.drawChanges(n)
		first[p.changes[0]]++
		seen := map[int]bool{}
		for _, step := range p.changes {
			any[step]++
			seen[step] = true
		}
		if len(seen) != n {
			t.Fatalf("%v are not %d steps", p.changes, n)
		}
	}
	for step := range k {
		want := runs / (k - 1)
		if step == 0 {
			want = 0
		}
		if math.Abs(float64(first[step]-want)) > 5*math.Sqrt(float64(want)) {
			t.Errorf("step %d is the first %d times, want %d", step, first[step], want)
		}
		if math.Abs(float64(any[step]-n*want)) > 5*math.Sqrt(float64(n*want)) {
			t.Errorf("step %d was drawn %d times, want %d", step, any[step], n*want)
		}
	}
	p.changes, p.sorted = p.changes[:0], p.sorted[:0]
	p.drawChanges(100)
	if len(p.changes) != k-1 {
		t.Errorf("%d changes in %d steps", len(p.changes), k)
	}
}

// spinners is a task that waits for another in a loop.
func spinners(in ...instr) *program {
	loop := append(in, instr{do: load}, instr{do: skip, a: 0, b: -2 - len(in)})
	return &program{present: 2, warm: true, objects: []int{0}, tasks: [][]instr{loop, {{do: store, a: 1}}}}
}

func TestPCTEndsSpinLoops(t *testing.T) {
	for range 3 {
		longest := 0
		newSim(spinners()).explore(PCT(1), 1, func(n int, o outcome) bool {
			longest = max(longest, o.Steps)
			return n < 50
		})
		if longest < unfair || longest > unfair+1000 {
			t.Errorf("the longest execution took %d steps, want some %d", longest, unfair)
		}
	}
}

// A task that yields lets the other go first, however low that one's priority.
func TestPCTYieldGoesLowest(t *testing.T) {
	newSim(spinners(instr{do: yield})).explore(PCT(1), 1, func(n int, o outcome) bool {
		if n > 0 && o.Steps > 8 { // the first is random
			t.Errorf("execution %d took %d steps", n, o.Steps)
		}
		return n < 200
	})
}

// A task that is new gets a random place among the others: the last of n spawned
// has the highest priority in one of n executions.
func TestPCTPlacesNewTasksAtRandom(t *testing.T) {
	const n, runs = 4, 8000
	main := []instr{}
	for i := range n {
		main = append(main, instr{do: spawn, a: i + 1})
	}
	p := &program{tasks: [][]instr{main}, objects: []int{0}}
	for range n {
		p.tasks = append(p.tasks, []instr{{do: store}})
	}
	var first [n + 1]int
	m := newSim(p)
	m.explore(PCT(1), 1, func(i int, _ outcome) bool {
		first[m.trace[1]]++
		return i+1 < runs
	})
	for i := 1; i <= n; i++ {
		if want := float64(runs / n); math.Abs(float64(first[i])-want) > 5*math.Sqrt(want) {
			t.Errorf("task %d is first %d times, want %.0f", i, first[i], want)
		}
	}
}

func TestPCTOfNoDepth(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("PCT(0) did not panic")
		}
	}()
	PCT(0)
}

// A change never raises a task that has yielded: of two that have, it takes the
// better, which then is the worse.
func TestPCTChangeLowers(t *testing.T) {
	chosen := func(changes ...int) int {
		p := PCT(3).(*pct)
		p.Begin(Execution{})
		p.Begin(Execution{Number: 1})
		p.changes, p.sorted = changes, changes
		return p.Next(&Choice{Enabled: []*Task{{ID: 0, Op: Op{Kind: Yield}}, {ID: 1, Op: Op{Kind: Yield}}}})
	}
	if chosen() == chosen(0) {
		t.Error("the change raised the one it was to lower")
	}
}

// The priority that a change gives is its place in the list, not its turn: either of
// two tasks that were lowered may go first.
func TestPCTChangesHavePriorities(t *testing.T) {
	for _, test := range []struct {
		changes []int
		again   bool // the one that was lowered first continues at step 1
	}{{[]int{0, 1}, false}, {[]int{1, 0}, true}} {
		p := PCT(3).(*pct)
		p.Begin(Execution{})
		p.Begin(Execution{Number: 1})
		p.changes, p.sorted = test.changes, slices.Sorted(slices.Values(test.changes))
		c := &Choice{Enabled: []*Task{{ID: 0}, {ID: 1}}}
		other := p.Next(c)
		if second := p.Next(c); (second != other) != test.again {
			t.Errorf("changes %v: task %d, then %d", test.changes, other, second)
		}
	}
}

// Catches: changes that fall among the many steps of a task's work, and hardly ever where it does something else.
func TestPCTChangesAtLandmarks(t *testing.T) {
	for seed := range uint64(10) {
		p := window(5_000, 5_000, false)
		if n := newSim(p).until(PCTCycle(), mix(seed, 1), 200); n == 200 {
			t.Errorf("seed %d: not found in %d executions", seed, n)
		}
	}
	if n := newSim(window(5_000, 5_000, false)).until(PCT(2), 1, 200); n < 200 {
		t.Errorf("changes at random steps found it in execution %d", n)
	}
}

// Catches: operations that have become routine among the landmarks, and those of one task that hide the others.
func TestLandmarks(t *testing.T) {
	l := newLandmarks()
	for i := range 1000 {
		l.add(&Task{Key: 1, Ops: i, Op: Op{Kind: Store, Object: 1}})
	}
	l.add(&Task{Key: 1, Ops: 1000, Op: Op{Kind: Store, Object: 2}})
	l.add(&Task{Key: 1, Ops: 1001, Op: Op{Kind: Load, Object: 1}})
	l.add(&Task{Key: 2, Ops: 1, Op: Op{Kind: Load, Object: 1}})
	p := PCT(2).(*pct)
	p.source.Seed(1, stream)
	drawn := map[landmark]int{}
	for _, m := range l.draw(&p.source, 4000, nil) {
		drawn[m]++
	}
	if len(drawn) != often+3 {
		t.Errorf("%v, want %d", drawn, often+3)
	}
	if n := drawn[landmark{2, 1}]; n < 1800 || n > 2200 {
		t.Errorf("the landmark of the second task was drawn %d times of 4000", n)
	}
}
