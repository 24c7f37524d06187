package native

import (
	"time"

	"github.com/rouse-go/rouse/chaos/internal/firing"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/internal/seam"
)

// A fault is a line of the plan, prepared. It is immutable except for left, expired, stopped and
// the count that until points to.
type fault struct {
	at    string
	kind  seam.Fault
	index int // in the plan
	below uint64

	line     plan.Fault // as the plan has it
	turns    firing.Turns
	add, set uint64
	sets     bool          // a roll that sets the counter rather than adding to it
	until    *quietCount   // of a hold
	limit    time.Duration // of a hold

	path    uint64 // key of the path of the task named, if it is one
	isPath  bool
	pattern bool // several tasks are named

	bounded bool       // there is a count
	left    quietCount // how often it may still fire
	expired quietCount
	stopped quietFlag
}

// newFault prepares a checked line of the plan.
func newFault(index int, f plan.Fault) *fault {
	r := &fault{
		at:      f.At,
		kind:    f.Kind,
		index:   index,
		below:   splitmix.Threshold(f.Probability),
		line:    f,
		turns:   firing.TurnsOf(&f),
		limit:   firing.Limit(&f),
		pattern: firing.IsPattern(f.Task),
		bounded: f.Count > 0,
	}
	by := f.By
	if by == 0 {
		by = plan.RollBy
	}
	r.add = uint64(by)
	if f.To != nil {
		r.set, r.sets = *f.To, true
	}
	r.path, r.isPath = pathKey(f.Task)
	r.left.add(int64(f.Count))
	return r
}

// strikes reports whether t, which has that label, is in the fault's scope.
//
//go:norace
func (f *fault) strikes(t *task, label string) bool {
	name := f.line.Task
	switch {
	case name == "" || f.isPath && f.path == t.id.key || label != "" && label == name:
		return true
	case !f.pattern:
		return false
	}
	return label != "" && firing.Matches(name, label) || firing.Matches(name, t.id.path())
}

// spent reports whether the fault fires no more: its count is used up, or it was stopped.
//
//go:norace
func (f *fault) spent() bool { return f.bounded && f.left.value() <= 0 || f.stopped.isSet() }

// take uses up one of the count and reports whether there was one. Between Hide and Show.
//
//go:norace
func (f *fault) take() bool { return !f.bounded || f.left.n.Add(-1) >= 0 }
