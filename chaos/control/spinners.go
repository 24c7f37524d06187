package control

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// settle takes a task that spins out of those that may be chosen, until somebody
// writes what it reads.
//
//go:norace
func (e *engine) settle(t *task) {
	if t.place < 0 || t.Op.Kind.Waits() && !t.others {
		t.Spinning = false
		return
	}
	if t.spin.stale() { // of what it read before the loop, too: it has to show again that it spins
		t.Spinning = false
		t.spin.forget()
		return
	}
	e.disable(t)
	e.spinners = append(e.spinners, t)
}

// stir looks again at the tasks that spin, after a write.
//
//go:norace
func (e *engine) stir() {
	kept := 0
	for _, t := range e.spinners {
		if t.ended {
			continue
		}
		if t.spin.stale() {
			t.Spinning = false
			t.spin.forget()
			e.enable(t)
			continue
		}
		e.spinners[kept] = t
		kept++
	}
	e.spinners = e.spinners[:kept]
}

// stirAll lets all of them go on, as there is nobody else: each of them may be in a
// loop that is bounded. It reports false if there is none, or if they have been let
// go too often since anybody wrote: then that is a livelock.
//
//go:norace
func (e *engine) stirAll() bool {
	if len(e.spinners) == 0 {
		return false
	}
	if e.spins++; e.spins > e.maxSpins {
		e.fail(verdict.Livelock, fmt.Sprintf("%d tasks only repeat themselves", len(e.spinners)), "")
		return false
	}
	for _, t := range e.spinners {
		t.Spinning = false
		t.spin.repeats = 0
		e.enable(t)
	}
	e.spinners = e.spinners[:0]
	return true
}
