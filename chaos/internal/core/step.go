package core

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A step is made in three parts, on the stack of the task that makes it:
//
//	Announce  the task states what it is about to do; it is enabled if that can be done
//	Decide    the strategy chooses; the front end lets that task continue
//	Did       the operation has been done: the tasks that waited for it are enabled
//
// Between Decide and Did no other task runs, so that a model of a drop-in changes its object as a
// sequential program would.

// Announce makes an operation on the object at x the pending one of the running task, and returns both. p is its hook
// point, or nil.
//
//go:norace
func (e *Engine) Announce(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*Task, *Object) {
	t := e.Running()
	o := e.Objects.At(x)
	t.Object = o
	if p != nil {
		e.Control.Passed = p
	} else if e.Tracing {
		t.Causes.NoPoint = true
	}
	t.Op.Kind, t.Op.Object = kind, o.ID
	return t, o
}

// CountStep counts a step of t on the object with that number, 0 for none, and adds it to the hash of the trace. It
// returns a hash of the task and the number of its step.
//
//go:norace
func (e *Engine) CountStep(t *Task, kind strategy.Kind, object int) (act uint64) {
	t.Ops++
	t.Decisions = 0
	t.Moved = e.Step
	act = splitmix.Mix(t.Key, uint64(t.Ops))
	e.Hash = (e.Hash ^ (act + uint64(kind)<<8 + uint64(object)<<16)) * 0x9e3779b97f4a7c15
	e.Hash ^= e.Hash >> 29
	return act
}

// Did records that t has done the operation that it announced, as one of that kind.
//
//go:norace
func (e *Engine) Did(t *Task, o *Object, kind strategy.Kind) {
	act := e.CountStep(t, kind, o.ID)
	if kind == strategy.Load {
		o.Since += act
		t.Repeating = t.Spin.Read(o, t.Op.Kind != strategy.Load)
	} else if kind == strategy.SyscallRead {
		o.Since += act
		t.Spin.Forget() // the next one need not read the same
		t.Repeating = false
	} else {
		o.Order = splitmix.Mix(o.Order+o.Since, act)
		o.Since = 0
		o.Writes++
		t.Spin.Forget()
		t.Repeating = false
		e.spins = 0
		if !changesNothing[kind] && o.Timer == nil {
			e.Progress = e.Step
		}
		if len(e.Spinners) > 0 {
			e.RecheckSpinners()
		}
	}
	if e.Observed && (!t.solo || kind != strategy.Load) {
		e.queueEvent(t, kind, o)
	}
	if e.Tracing {
		e.trace(t, kind, o)
	}
}

// DidAlone records a step that has no object.
//
//go:norace
func (e *Engine) DidAlone(t *Task, kind strategy.Kind) {
	e.CountStep(t, kind, 0)
	if !changesNothing[kind] {
		e.Progress = e.Step
	}
	if e.Observed {
		e.queueEvent(t, kind, nil)
	}
	if e.Tracing {
		e.trace(t, kind, nil)
	}
}

// QueueAnnouncement informs the observer that other tasks can see what t is about to do. That
// is part of its last step, since there was no choice in between.
//
//go:norace
func (e *Engine) QueueAnnouncement(t *Task, o *Object) {
	if e.Observed {
		e.queueEvent(t, strategy.Signal, o)
	}
}
