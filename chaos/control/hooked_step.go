package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// How a task of package hooks makes a step: between announce and did, control may go to another task.

// arrive makes the decision. It returns when t has been chosen.
//
//go:norace
func (e *hookedTasks) arrive(t *task) {
	if next := e.decide(); next != t {
		e.turn(t, next)
	}
}

// step announces an operation that never waits, and arrives.
//
//go:norace
func (e *hookedTasks) step(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	e.drainStores()
	t, o := e.announce(kind, p, x)
	if next := e.decide(); next != t { // not by arrive: a frame less to return through
		e.turn(t, next)
	}
	return t, o
}

// await announces an operation that may have to wait. It returns when that can be done and
// the strategy has chosen the task.
//
//go:norace
func (e *hookedTasks) await(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	t, o, _ := e.awaitGrant(kind, p, x)
	return t, o
}

// awaitGrant is await, and reports whether another task has already done the operation.
//
//go:norace
func (e *hookedTasks) awaitGrant(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object, bool) {
	e.drainStores()
	t, o := e.announce(kind, p, x)
	o.addWaiter(t)
	if !e.front.ready(t) {
		e.disable(t)
		if e.tracing {
			e.traceWait(t, o)
		}
		if kind == strategy.RLock {
			e.queueAnnouncement(t, o) // a writer that unlocks admits the readers that wait
		}
	}
	if next := e.decide(); next != t {
		e.turn(t, next)
	}
	o.removeWaiter(t)
	granted := t.granted
	t.granted = false
	return t, o, granted
}

// arriveAlone announces a step that has no object, and arrives. didAlone follows.
//
//go:norace
func (e *hookedTasks) arriveAlone(t *task, kind strategy.Kind) {
	t.object = nil
	t.Op = strategy.Op{Kind: kind}
	e.arrive(t)
}

// done is did for an operation that synchronises. It also rechecks the tasks that wait for o.
//
//go:norace
func (e *hookedTasks) done(t *task, o *object, kind strategy.Kind, how edge) {
	e.did(t, o, kind)
	e.synchronise(o, how)
	e.changed(o)
}
