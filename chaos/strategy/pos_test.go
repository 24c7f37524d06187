package strategy

import "testing"

// What POS is for: an operation that lost against one that it races with does not
// keep the bad priority that this implies. Two tasks of n accesses to one object
// alternate as a coin falls then; with priorities kept, one that has won wins less.
func TestPOSDrawsAnewForRaces(t *testing.T) {
	const n, runs = 3, 20_000
	p := straight(n, n)
	for i := range p.tasks {
		for j := range p.tasks[i] {
			p.tasks[i][j].object = 0
		}
	}
	// P(the same task makes the first n steps) is 2/2^n if each step is a fair coin;
	// it is 2/(n+1) if the loser keeps what it drew.
	straightaway := 0
	m := newSim(p)
	m.explore(POS(), 1, func(i int, _ outcome) bool {
		if m.trace[0] == m.trace[1] && m.trace[1] == m.trace[2] {
			straightaway++
		}
		return i+1 < runs
	})
	if got := float64(straightaway) / runs; got < 0.24 || got > 0.26 {
		t.Errorf("one task runs to its end first in %.3f of the executions, want 0.25", got)
	}
	// With an object each they race with no other, and the loser does keep it.
	straightaway = 0
	m = newSim(straight(n, n))
	m.explore(POS(), 1, func(i int, _ outcome) bool {
		if m.trace[0] == m.trace[1] && m.trace[1] == m.trace[2] {
			straightaway++
		}
		return i+1 < runs
	})
	if got := float64(straightaway) / runs; got < 0.48 || got > 0.52 {
		t.Errorf("independent tasks: one runs to its end first in %.3f of the executions, want 0.5", got)
	}
}
