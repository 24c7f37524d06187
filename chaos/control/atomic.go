package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

//go:norace
func (e *hookedTasks) Access(p *seam.Point, x unsafe.Pointer, a seam.Access) unsafe.Pointer {
	if e.abandoning {
		e.countPass()
		return x
	}
	if e.faults.armed && p != nil {
		e.applyFaults(p, seam.Disturb, 0)
	}
	kind := accesses[a&seam.Kinds]
	t, o := e.announce(kind, p, x)
	if next := e.decide(); next != t {
		e.turn(t, next)
	}
	switch a & seam.Kinds {
	case seam.CAS: // Swapped follows
	case seam.Walk:
		e.didWalk(t, o)
	default:
		e.did(t, o, kind)
	}
	return x
}

var accesses = [seam.Kinds + 1]strategy.Kind{
	seam.Load: strategy.Load, seam.Store: strategy.Store, seam.CAS: strategy.CAS, seam.Update: strategy.Store, seam.Walk: strategy.Load,
}

// didWalk is did for a load that does not count as a repetition.
//
//go:norace
func (e *hookedTasks) didWalk(t *task, o *object) {
	repeats := t.spin.repeats
	e.did(t, o, strategy.Load)
	t.spin.repeats, t.repeating = min(t.spin.repeats, repeats), t.spin.solo
}

//go:norace
func (e *hookedTasks) Swapped(ok bool) {
	if e.abandoning {
		return
	}
	t := e.current()
	if ok {
		e.did(t, t.object, strategy.CAS)
	} else {
		e.did(t, t.object, strategy.Load)
	}
}

// Published decides only whether the task continues at once: its operation has been done and
// counted.
//
//go:norace
func (e *hookedTasks) Published() {
	if e.abandoning || len(e.Enabled) < 2 && len(e.touched) == 0 {
		return
	}
	t := e.current()
	done := t.Op
	t.Op = strategy.Op{Kind: strategy.After}
	if t.published != t.Ops { // for example, a second cancel is not an operation: decisionsAfter continues
		t.published, t.decisionsAfter = t.Ops, 0
	}
	e.arrive(t)
	t.Op = done
}

//go:norace
func (e *hookedTasks) Yield() {
	if e.abandoning {
		e.countPass()
		return
	}
	t := e.current()
	if t.spin.n > 0 { // it has read, and lets others run first, as a waiting loop does
		t.repeating = true
	}
	e.arriveAlone(t, strategy.Yield)
	e.didAlone(t, strategy.Yield)
}
