package hooked

import "github.com/rouse-go/rouse/chaos/internal/core"

// These functions give control from one goroutine to another, and return when it comes back.
// A processor predicts where a function returns to by where it was called, and mispredicts
// every frame of a stack that it has been switched to. So turn does all that a step needs in
// one frame.

// turn gives control from t to next, or to the root if next is nil.
//
//go:norace
func (e *Tasks) turn(t, next *core.Task) {
	from, to := of(t).host, e.hostOf(next)
	t.Point = e.Control.Passed
	e.SetCurrent(next)
	if e.pooled { // as coroutines.swap does it while no goroutine ends
		c := to.slot
		from.slot, to.slot = c, nil
		if c.yields {
			c.yields = false
			c.yield(struct{}{})
		} else {
			c.yields = true
			c.next()
		}
	} else {
		e.mechanism.swap(from, to)
	}
	// The host that gave control back has set the current task.
	if e.Stopping {
		e.resumeStopped(t)
	}
	if e.Stop.Task == t {
		e.StopHere()
	}
	e.Control.Passed = t.Point
	e.Control.SetRunning(from.g)
}

// switchTo gives control from a host without a task, or the root.
//
//go:norace
func (e *Tasks) switchTo(from *host, next *core.Task) {
	to := e.hostOf(next)
	e.SetCurrent(next)
	e.mechanism.swap(from, to)
	e.Control.SetRunning(from.g)
}

// hostOf returns the host of next, and gives it one if it has none; nil is the root.
//
//go:norace
func (e *Tasks) hostOf(next *core.Task) *host {
	if next == nil {
		return e.root
	}
	if of(next).host == nil {
		e.givePooledHost(next)
	}
	return of(next).host
}

// resumeStopped is called when a task gets control back after the execution is over: it records
// its stack, as often as that is wanted, and unwinds.
//
//go:norace
func (e *Tasks) resumeStopped(t *core.Task) {
	for of(t).host.stackWanted {
		of(t).host.stackWanted = false
		e.recordStack(of(t).host)
	}
	if e.Abandoning {
		e.Control.Passed = t.Point
		e.Control.SetRunning(of(t).host.g)
		e.unwind(t)
	}
}
