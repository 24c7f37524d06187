package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// How a task of package hooks makes a step: between Announce and Did, control may go to another task.

// arrive makes the decision. It returns when t has been chosen.
//
//go:norace
func (e *Tasks) arrive(t *core.Task) {
	if next := e.Decide(); next != t {
		e.turn(t, next)
	}
}

// step announces an operation that never waits, and arrives.
//
//go:norace
func (e *Tasks) step(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*core.Task, *core.Object) {
	e.drainStores()
	t, o := e.Announce(kind, p, x)
	if next := e.Decide(); next != t { // not by arrive: a frame less to return through
		e.turn(t, next)
	}
	return t, o
}

// await announces an operation that may have to wait. It returns when that can be done and
// the strategy has chosen the task.
//
//go:norace
func (e *Tasks) await(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*core.Task, *core.Object) {
	t, o, _ := e.awaitGrant(kind, p, x)
	return t, o
}

// awaitGrant is await, and reports whether another task has already done the operation.
//
//go:norace
func (e *Tasks) awaitGrant(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*core.Task, *core.Object, bool) {
	e.drainStores()
	t, o := e.Announce(kind, p, x)
	e.AddWaiter(o, t)
	if !e.Front.Ready(t) {
		e.Disable(t)
		if e.Tracing {
			e.TraceWait(t, o)
		}
		if kind == strategy.RLock {
			e.QueueAnnouncement(t, o) // a writer that unlocks admits the readers that wait
		}
	}
	if next := e.Decide(); next != t {
		e.turn(t, next)
	}
	if t.Group == nil { // as RemoveWaiter
		core.Remove(&o.Waiters, t)
	} else {
		e.RemoveWaiter(o, t)
	}
	granted := t.Granted
	t.Granted = false
	return t, o, granted
}

// arriveAlone announces a step that has no object, and arrives. DidAlone follows.
//
//go:norace
func (e *Tasks) arriveAlone(t *core.Task, kind strategy.Kind) {
	t.Object = nil
	t.Op = strategy.Op{Kind: kind}
	e.arrive(t)
}

// done is Did for an operation that synchronises. It also rechecks the tasks that wait for o.
//
//go:norace
func (e *Tasks) done(t *core.Task, o *core.Object, kind strategy.Kind, how edge) {
	e.Did(t, o, kind)
	e.synchronise(o, how)
	e.ObjectChanged(o)
}
