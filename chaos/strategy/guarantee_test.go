package strategy

import (
	"fmt"
	"math"
	"testing"
)

// TestGuaranteeIsFromBelow: series of executions find planted bugs at least as often as the guarantees of
// their executions say, by PCT of one depth, by its cycle of depths, and by the portfolio that runs it among
// others. Catches: a guarantee with fewer steps, tasks or executions than there are.
func TestGuaranteeIsFromBelow(t *testing.T) {
	for _, test := range []struct {
		program string
		p       *program
		depth   int
		by      func() Strategy
		runs    int
	}{
		{"depth 2", window(10, 10, false), 2, func() Strategy { return PCT(2) }, 30},
		{"depth 2, at the end", window(20, 0, false), 2, func() Strategy { return PCT(2) }, 30},
		{"depth 2", window(6, 6, false), 2, PCTCycle, 120},
		{"depth 3", window(4, 4, true), 3, func() Strategy { return PCT(3) }, 200},
		{"depth 3", window(3, 3, true), 3, PCTCycle, 300},
		{"depth 2", window(10, 10, false), 2, func() Strategy { return Portfolio() }, 200},
	} {
		t.Run(fmt.Sprintf("%s by %s", test.program, test.by().Name()), func(t *testing.T) {
			const series = 400
			found, want, variance := 0, 0.0, 0.0
			for seed := range uint64(series) {
				s, failed, n := test.by(), false, 0
				all := Guarantee{Depth: test.depth}
				newSim(test.p).explore(s, seed, func(i int, o outcome) bool {
					failed = failed || o.Failed
					if g, ok := GuaranteeOf(s); ok && g.Depth == test.depth {
						n++
						all.Tasks, all.Steps = max(all.Tasks, g.Tasks), max(all.Steps, g.Steps)
					}
					return i+1 < test.runs
				})
				if n > 0 && (all.Tasks != 2 || all.Steps < 8) {
					t.Fatalf("%+v", all)
				}
				p := 0.0
				if n > 0 {
					p = all.Least(n)
				}
				want += p
				variance += p * (1 - p)
				if failed {
					found++
				}
			}
			t.Logf("found in %d series of %d, guaranteed are %.0f", found, series, want)
			if want < 20 || float64(found) < want-4*math.Sqrt(variance) {
				t.Errorf("found in %d series of %d, guaranteed are %.0f", found, series, want)
			}
		})
	}
}

// A random execution has no guarantee, nor has one that was longer than PCT schedules.
func TestNoGuarantee(t *testing.T) {
	for name, s := range map[string]Strategy{"random": Random(), "pos": POS(), "default": Default()} {
		newSim(window(2, 2, false)).explore(s, 1, func(n int, o outcome) bool {
			if g, ok := GuaranteeOf(s); ok {
				t.Errorf("%s: %+v", name, g)
			}
			return n < 5
		})
	}
	s, with := PCT(2), 0
	newSim(window(2, 2, false)).explore(s, 1, func(n int, o outcome) bool {
		if _, ok := GuaranteeOf(s); ok != (n > 0) {
			t.Errorf("execution %d: %v", n, ok)
		}
		return n < 5
	})
	long := PCT(1)
	newSim(spinners()).explore(long, 1, func(n int, o outcome) bool {
		if _, ok := GuaranteeOf(long); ok && o.Steps > unfair {
			t.Errorf("execution %d of %d steps has a guarantee", n, o.Steps)
		} else if ok {
			with++
		}
		return n < 20
	})
	if with == 0 {
		t.Error("no execution has one")
	}
	if p := (Guarantee{Depth: 2, Tasks: 1, Steps: 1}).Least(0); p != 0 {
		t.Errorf("no execution finds a bug with %v", p)
	}
}

// Catches: a probability that is not that of n independent executions.
func TestGuaranteeOfMany(t *testing.T) {
	g := Guarantee{Depth: 3, Tasks: 4, Steps: 5} // 1 of 100
	for n, want := range map[int]float64{0: 0, 1: 0.01, 2: 0.0199, 100: 1 - math.Pow(0.99, 100)} {
		if got := g.Least(n); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d executions: %v, want %v", n, got, want)
		}
	}
}
