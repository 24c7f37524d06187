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
//	decide    the strategy chooses; the front end lets that task continue
//	did       the operation has been done: the tasks that waited for it are enabled
//
// Between decide and did no other task runs, so that a model (mutex.go, cond.go ...) changes
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

// changed rechecks whether the tasks that wait for o are enabled.
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

// did records that t has done the operation that it announced, as one of that kind.
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

// didAlone records a step that has no object.
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
