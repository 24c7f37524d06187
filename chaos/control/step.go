package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A step is made in three parts, on the stack of the task that makes it:
//
//	announce  the task states what it is about to do; it is enabled if that can be done
//	arrive    the strategy chooses; this returns when the task has been chosen
//	did       the operation has been done: the tasks that waited for it are enabled
//
// Between arrive and did no other task runs, so that a model (mutex.go, cond.go ...) changes
// its object as a sequential program would.

//go:norace
func (e *engine) announce(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	t := e.current()
	o := e.objects.at(x)
	t.object = o
	if p != nil {
		e.control.Passed = p
	} else if e.tracing {
		t.causes.noPoint = true
	}
	t.Op.Kind, t.Op.Object = kind, o.id
	return t, o
}

// arrive is the decision. It returns when t has been chosen.
//
//go:norace
func (e *engine) arrive(t *task) {
	if next := e.decide(); next != t {
		e.turn(t, next)
	}
}

// step announces an operation that never waits, and arrives.
//
//go:norace
func (e *engine) step(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
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
func (e *engine) await(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	t, o, _ := e.awaitGrant(kind, p, x)
	return t, o
}

// awaitGrant is await, and reports whether another task has already done the operation.
//
//go:norace
func (e *engine) awaitGrant(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object, bool) {
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

// arriveAlone announces a step that is about no object, and arrives. didAlone follows.
//
//go:norace
func (e *engine) arriveAlone(t *task, kind strategy.Kind) {
	t.object = nil
	t.Op = strategy.Op{Kind: kind}
	e.arrive(t)
}

// changed looks again at the tasks that wait for o.
//
//go:norace
func (e *engine) changed(o *object) {
	if e.tracing {
		e.traceChange(o)
	}
	for _, w := range o.waiters {
		if e.front.ready(w) {
			e.enable(w)
		} else {
			e.disable(w)
		}
	}
}

// did records that t has done what it announced, of that kind.
//
//go:norace
func (e *engine) did(t *task, o *object, kind strategy.Kind) {
	t.Ops++
	t.decisions = 0
	t.moved = e.Step
	act := splitmix.Mix(t.Key, uint64(t.Ops))
	e.hash = (e.hash ^ (act + uint64(kind)<<8 + uint64(o.id)<<16)) * 0x9e3779b97f4a7c15
	e.hash ^= e.hash >> 29
	if kind == strategy.Load {
		o.since += act
		t.repeating = t.spin.read(o, t.Op.Kind != strategy.Load)
	} else if kind == strategy.SyscallRead {
		o.since += act
		t.spin.forget() // the next one need not read the same
		t.repeating = false
	} else {
		o.order = splitmix.Mix(o.order+o.since, act)
		o.since = 0
		o.writes++
		t.spin.forget()
		t.repeating = false
		e.spins = 0
		if !changesNothing[kind] && o.timer == nil {
			e.progress = e.Step
		}
		if len(e.spinners) > 0 {
			e.recheckSpinners()
		}
	}
	if e.observer != nil && (!t.solo || kind != strategy.Load) {
		e.queueEvent(t, kind, o)
	}
	if e.tracing {
		e.trace(t, kind, o)
	}
}

// done is did for an operation that synchronises, and lets tasks continue that wait for o.
//
//go:norace
func (e *engine) done(t *task, o *object, kind strategy.Kind, how edge) {
	e.did(t, o, kind)
	e.synchronise(o, how)
	e.changed(o)
}

// didAlone is did for a step that is about no object.
//
//go:norace
func (e *engine) didAlone(t *task, kind strategy.Kind) {
	t.Ops++
	t.decisions = 0
	t.moved = e.Step
	if !changesNothing[kind] {
		e.progress = e.Step
	}
	e.hash = (e.hash ^ (splitmix.Mix(t.Key, uint64(t.Ops)) + uint64(kind)<<8)) * 0x9e3779b97f4a7c15
	e.hash ^= e.hash >> 29
	if e.observer != nil {
		e.queueEvent(t, kind, nil)
	}
	if e.tracing {
		e.trace(t, kind, nil)
	}
}

// queueAnnouncement informs the observer that other tasks can see what t is about to do. That
// is part of its last step, since there was no choice in between.
//
//go:norace
func (e *engine) queueAnnouncement(t *task, o *object) {
	if e.observer != nil {
		e.queueEvent(t, strategy.Signal, o)
	}
}
