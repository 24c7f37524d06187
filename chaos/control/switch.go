package control

// These functions give control from one goroutine to another, and return when it comes back.
// A processor predicts where a function returns to by where it was called, and mispredicts
// every frame of a stack that it has been switched to. So turn does all that a step needs in
// one frame.

// turn gives control from t to next, or to the root if next is nil.
//
//go:norace
func (e *hookedTasks) turn(t, next *task) {
	from, to := t.host, e.hostOf(next)
	t.point = e.control.Passed
	e.setCurrent(next)
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
	if e.stopping {
		e.resumeStopped(t)
	}
	if e.stop.task == t {
		e.stopHere()
	}
	e.control.Passed = t.point
	e.control.SetRunning(from.g)
}

// switchTo gives control from a host without a task, or the root.
//
//go:norace
func (e *hookedTasks) switchTo(from *host, next *task) {
	to := e.hostOf(next)
	e.setCurrent(next)
	e.mechanism.swap(from, to)
	e.control.SetRunning(from.g)
}

// hostOf returns the host of next, and gives it one if it has none; nil is the root.
//
//go:norace
func (e *hookedTasks) hostOf(next *task) *host {
	if next == nil {
		return e.root
	}
	if next.host == nil {
		e.givePooledHost(next)
	}
	return next.host
}

// resumeStopped is called when a task gets control back after the execution is over: it records
// its stack, as often as that is wanted, and unwinds.
//
//go:norace
func (e *hookedTasks) resumeStopped(t *task) {
	for t.host.stackWanted {
		t.host.stackWanted = false
		e.recordStack(t.host)
	}
	if e.abandoning {
		e.control.Passed = t.point
		e.control.SetRunning(t.host.g)
		e.unwind(t)
	}
}
