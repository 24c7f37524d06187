package real

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// asides holds the operations of an execution that are not points but that tasks could see of each other. A search of
// all orders has to know of them.
type asides []asideRun

// An asideRun holds the first and the last of the asides on one object that tasks of one line have done in a row.
type asideRun struct {
	x           uintptr
	first, last strategy.Aside
}

// mostAsides bounds the runs of an execution. The order of asides after these is not known.
const mostAsides = 1 << 10

// observesAsides reports whether the strategy observes asides.
func (e *Tasks) observesAsides() bool {
	o, ok := e.Strategy.(strategy.AsideObserver)
	return ok && o.ObservesAsides()
}

//go:norace
func (s *Tasks) Aside(kind uint8, x uintptr, tasks int32) {
	t := s.Running()
	if t == nil || s.Stopping {
		return
	}
	if isSyscall(strategy.Kind(kind)) {
		x = uintptr(unsafe.Pointer(&s.world))
	}
	a := strategy.Aside{Task: t.ID, Step: s.Step - s.SoloSteps - 1, Tasks: s.NumTasks + int(tasks) - len(s.tasks), Kind: strategy.Kind(kind)}
	switch {
	case a.Kind == strategy.Begin:
		if t.Starter != nil {
			of(t).line = of(t.Starter).line
		}
		return
	case a.Kind == strategy.Yield:
		of(t).line = int32(t.ID)
		return
	}
	a.Line = int(of(t).line)
	for i := len(s.asides) - 1; i >= 0; i-- {
		r := &s.asides[i]
		if r.x != x {
			continue
		}
		if r.first.Line != a.Line {
			break
		}
		if a.Looks() {
			a.Kind = r.first.Kind
		}
		r.first.Kind, r.last = a.Kind, a
		return
	}
	if len(s.asides) == mostAsides {
		x = 0
	}
	if len(s.asides) <= mostAsides {
		s.asides = append(s.asides, asideRun{x, a, a})
	}
}

// asided returns the asides for the strategy.
func (s *Tasks) asided() (all []strategy.Aside) {
	unknown := map[uintptr]int{}
	for _, r := range s.asides {
		object := 0
		if r.x != 0 {
			if slot := s.Objects.SlotOf(r.x); slot.Epoch == s.Objects.Epoch {
				object = slot.Object.ID
			} else if object = unknown[r.x]; object == 0 {
				object = -1 - len(unknown)
				unknown[r.x] = object
			}
		}
		r.first.Object, r.last.Object, r.last.Kind = object, object, r.first.Kind
		if all = append(all, r.first); r.last != r.first {
			all = append(all, r.last)
		}
	}
	return all
}
