package native

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/internal/seam"
)

// A fault is a line of the plan, made ready. All but left is immutable.
type fault struct {
	at    string
	kind  seam.Fault
	index int // in the plan
	below uint64

	min, max time.Duration
	add, set uint64
	sets     bool // a roll that sets the counter rather than adding to it

	everyone bool   // no task is named
	label    string // the task named, by label or by path
	path     uint64 // key of that path, if it is one
	isPath   bool

	bounded bool         // there is a count
	left    atomic.Int64 // how often it may still fire
}

// newFault makes a checked line of the plan ready.
func newFault(index int, f chaos.Fault) *fault {
	r := &fault{
		at:       f.At,
		kind:     f.Kind,
		index:    index,
		below:    splitmix.Threshold(f.Probability),
		min:      f.Min,
		max:      f.Max,
		everyone: f.Task == "",
		label:    f.Task,
		bounded:  f.Count > 0,
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
	r.left.Store(int64(f.Count))
	return r
}

// strikes reports whether the task of that key and label is in the fault's scope.
//
//go:norace
func (f *fault) strikes(key uint64, label string) bool {
	return f.everyone || f.isPath && f.path == key || label != "" && f.label == label
}

// spent reports whether the count is used up. Between Hide and Show.
//
//go:norace
func (f *fault) spent() bool { return f.bounded && f.left.Load() <= 0 }

// take uses up one of the count and reports whether there was one. Between Hide
// and Show.
//
//go:norace
func (f *fault) take() bool {
	return !f.bounded || f.left.Add(-1) >= 0
}
