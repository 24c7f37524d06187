package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// Whoever has the turn runs: a task, or the root between executions. These functions
// give it away and return when it comes back. A processor predicts where a function
// returns to by where it was called, and is wrong about every frame of a stack
// that it has been switched to. So turn does all that a step needs in one frame.

// turn gives the turn from t to next, or to the root if that is nil.
//
//go:norace
func (e *engine) turn(t, next *task) {
	from, to := t.host, e.receiver(next)
	t.point = e.control.Passed
	e.setCurrent(next)
	if e.pooled { // as coroutines.hand does it, where nobody ends
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
	// Whoever handed over has said who is current.
	if e.stopping {
		e.resumed(t)
	}
	e.control.Passed = t.point
	e.control.SetRunning(from.g)
}

// hand gives the turn from a host without a task, or the root.
//
//go:norace
func (e *engine) hand(from *host, next *task) {
	to := e.receiver(next)
	e.setCurrent(next)
	e.mechanism.swap(from, to)
	e.control.SetRunning(from.g)
}

// receiver returns the host of next, which it gives one if it has none, or the root.
//
//go:norace
func (e *engine) receiver(next *task) *host {
	if next == nil {
		return e.root
	}
	if next.host == nil {
		e.givePooledHost(next)
	}
	return next.host
}

// resumed is what a task comes back to when the execution is over: it says where it
// stands, as often as it is asked, and unwinds.
//
//go:norace
func (e *engine) resumed(t *task) {
	for t.host.stackWanted {
		t.host.stackWanted = false
		e.report(t.host)
	}
	if e.abandoning {
		e.control.Passed = t.point
		e.control.SetRunning(t.host.g)
		e.unwind(t)
	}
}

// setCurrent says whose turn it is; nil is the root's.
//
//go:norace
func (e *engine) setCurrent(t *task) {
	e.Current = (*strategy.Task)(unsafe.Pointer(t)) // its first field
}

// current returns whose turn it is.
//
//go:norace
func (x *execution) current() *task { return of(x.Current) }
