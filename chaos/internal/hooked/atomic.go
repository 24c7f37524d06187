package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

//go:norace
func (e *Tasks) Access(p *seam.Point, x unsafe.Pointer, a seam.Access) unsafe.Pointer {
	if e.Abandoning {
		e.countPass()
		return x
	}
	if e.Faults.Armed && p != nil {
		e.applyFaults(p, seam.Disturb, 0)
	}
	kind := accesses[a&seam.Kinds]
	t, o := e.Announce(kind, p, x)
	if next := e.Decide(); next != t {
		e.turn(t, next)
	}
	switch a & seam.Kinds {
	case seam.CAS: // Swapped follows
	case seam.Walk:
		e.didWalk(t, o)
	default:
		e.Did(t, o, kind)
	}
	return x
}

var accesses = [seam.Kinds + 1]strategy.Kind{
	seam.Load: strategy.Load, seam.Store: strategy.Store, seam.CAS: strategy.CAS, seam.Update: strategy.Store, seam.Walk: strategy.Load,
}

// didWalk is Did for a load that does not count as a repetition.
//
//go:norace
func (e *Tasks) didWalk(t *core.Task, o *core.Object) {
	repeats := t.Spin.Repeats
	e.Did(t, o, strategy.Load)
	t.Spin.Repeats, t.Repeating = min(t.Spin.Repeats, repeats), t.Spin.Solo
}

//go:norace
func (e *Tasks) Swapped(ok bool) {
	if e.Abandoning {
		return
	}
	t := e.Running()
	if ok {
		e.Did(t, t.Object, strategy.CAS)
	} else {
		e.Did(t, t.Object, strategy.Load)
	}
}

// Published decides only whether the task continues at once: its operation has been done and
// counted.
//
//go:norace
func (e *Tasks) Published() {
	if e.Abandoning || e.Len() < 2 && len(e.Touched) == 0 {
		return
	}
	t := e.Running()
	done := t.Op
	t.Op = strategy.Op{Kind: strategy.After}
	if t.Published != t.Ops { // for example, a second cancel is not an operation: DecisionsAfter continues
		t.Published, t.DecisionsAfter = t.Ops, 0
	}
	e.arrive(t)
	t.Op = done
}

//go:norace
func (e *Tasks) Yield() {
	if e.Abandoning {
		e.countPass()
		return
	}
	t := e.Running()
	if t.Spin.N > 0 { // it has read, and lets others run first, as a waiting loop does
		t.Repeating = true
	}
	e.arriveAlone(t, strategy.Yield)
	e.DidAlone(t, strategy.Yield)
}
