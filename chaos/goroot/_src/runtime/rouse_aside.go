package runtime

import _ "unsafe" // linkname

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
	var was uintptr
	if raceenabled { // c.enter, without a report of what has happened
		rouseForgetStack(gp)
		was = gp.racectx
		gp.racectx = c.racectx
	}
	c.hook = true
	c.s.Aside(op, obj, int32(len(c.tasks)))
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
