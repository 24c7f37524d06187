package runtime

import "unsafe"

// rouseNoteAside reports to the engine an operation that is no point: see control.Scheduler.
//
//go:linkname rouseNoteAside internal/rouse.Aside
func rouseNoteAside(op uint8, obj uintptr) {
	gp := getg()
	t := gp.rouse
	if t == nil || !t.c.asides || t == &t.c.self || t.sys != 0 || gp.m.locks|gp.m.mallocing != 0 || t.c.hook || t.c.done {
		return
	}
	c := t.c
	was := c.enterAside(gp)
	c.s.Aside(op, obj, int32(len(c.tasks)))
	c.leave(gp, was)
}

// enterAside is enter without a report of what has happened.
func (c *RouseGroup) enterAside(gp *g) (was uintptr) {
	if raceenabled {
		rouseForgetStack(gp)
		was = gp.racectx
		gp.racectx = c.racectx
	}
	c.hook = true
	return was
}

// rouseTraces reports whether the engine traces, and may be called here.
func rouseTraces(gp *g) bool {
	t := gp.rouse
	return t != nil && t.c.traces && rouseCan(gp, t)
}

// rouseTracePool reports to the engine what a task does with a sync.Pool: see control.Scheduler.
//
//go:linkname rouseTracePool internal/rouse.TracePool
func rouseTracePool(pool, item unsafe.Pointer, put bool) {
	gp := getg()
	if !rouseTraces(gp) {
		return
	}
	c := gp.rouse.c
	was := c.enterAside(gp)
	c.s.Pooled(pool, uintptr(item), put)
	c.leave(gp, was)
}

//go:linkname rouseAsides internal/rouse.Asides
func rouseAsides() bool {
	t := getg().rouse
	return t != nil && t.c.asides
}

//go:linkname rouseQuietAside internal/rouse.QuietAside
func rouseQuietAside(d int32) {
	t := getg().rouse
	if t == nil {
		return
	}
	if t.quiet += d; d > 0 {
		t.aside = t.quiet
	} else {
		t.aside = 0
	}
}
