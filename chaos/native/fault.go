package native

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/firing"
	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/internal/seam"
)

// A fault is a line of the plan, made ready. All but left, expired, and what
// until points to, is immutable.
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

	bounded bool         // there is a count
	left    atomic.Int64 // how often it may still fire
	expired quietCount
	stopped atomic.Bool // it fires no more
}

// newFault makes a checked line of the plan ready.
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
	r.left.Store(int64(f.Count))
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

// spent reports whether the fault fires no more: the count is used up, or it was stopped.
// Between Hide and Show.
//
//go:norace
func (f *fault) spent() bool { return f.bounded && f.left.Load() <= 0 || f.stopped.Load() }

// isStopped reports whether it was stopped.
//
//go:norace
func (f *fault) isStopped() bool {
	racing.Hide()
	stopped := f.stopped.Load()
	racing.Show()
	return stopped
}

// stop lets it fire no more.
//
//go:norace
func (f *fault) stop() {
	racing.Hide()
	f.stopped.Store(true)
	racing.Show()
}

// take uses up one of the count and reports whether there was one. Between Hide
// and Show.
//
//go:norace
func (f *fault) take() bool {
	return !f.bounded || f.left.Add(-1) >= 0
}
