package strategy

import "testing"

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
