//go:build chaos

package control

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
)

// Straight code that looks at the same thing a few times is no loop: it continues at any
// time, against everything that others do meanwhile.
func TestLooksInARowAreNoLoop(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Strategy: strategy.DFS(2), Switch: how})
		seen := map[int64]bool{}
		for {
			var x, y atomic.Int64
			_, more := e.Run(1, func() {
				tasks(func() {
					for range 4 {
						x.Load()
					}
					y.Store(1)
				})
				for range 3 {
					seen[y.Load()] = true
				}
			})
			if !more {
				break
			}
		}
		if !seen[0] || !seen[1] {
			t.Errorf("seen: %v, want both before and after", seen)
		}
	})
}

// scripted lets task 0 make a few steps, then task 1 some, and then always task 0 if it
// can.
type scripted struct {
	strategy.Strategy
	first, then int
}

func (s scripted) Next(c *strategy.Choice) int {
	want := 0
	if c.Step >= s.first && c.Step < s.first+s.then {
		want = 1
	}
	for i, t := range c.Enabled {
		if t.ID == want {
			return i
		}
	}
	return c.Default
}

// A loop is seen for what it is though something was read before it that has been
// written since, before the loop was known.
func TestALoopAfterAStaleRead(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		// begin, the read, two rounds; the other begins and writes what was read before.
		e := start(t, Options{Strategy: scripted{strategy.Default(), 4, 2}, MaxSteps: 10_000, Switch: how})
		r, _ := e.Run(1, func() {
			var before atomic.Int64
			var over atomic.Bool
			tasks(func() {
				before.Store(1)
				before.Store(2)
				over.Store(true)
			})
			before.Load()
			for !over.Load() {
			}
		})
		if r.Verdict != verdict.Pass || r.Steps > 200 {
			t.Errorf("%s after %d steps: %s", r.Verdict, r.Steps, r.Summary)
		}
	})
}
