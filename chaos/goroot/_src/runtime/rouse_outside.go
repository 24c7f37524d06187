package runtime

import _ "unsafe" // linkname

// rouseSignals is called when a task calls package os/signal, and when that returns. It waits for
// goroutines outside, and what they do later may wake a task.
//
//go:linkname rouseSignals os/signal.rouseInside
func rouseSignals(d int32) {
	if t := getg().rouse; t != nil {
		t.sys += d
		t.c.entangled++
	}
}

// rouseGo starts a goroutine that is no task, and serves all executions.
//
//go:linkname rouseGo os/signal.rouseGo
func rouseGo(f func()) {
	gp := getg()
	mp := acquirem()
	task, bubble := gp.rouse, gp.bubble
	gp.rouse, gp.bubble = nil, nil
	go f()
	gp.rouse, gp.bubble = task, bubble
	releasem(mp)
}

// rouseCount is the number of goroutines that the current task knows of, 0 if the caller is none: the
// tasks, and goroutine 1, which waits for the test.
func rouseCount() (n int) {
	t := getg().rouse
	if t == nil || t == &t.c.self {
		return 0
	}
	for _, t := range t.c.tasks {
		if t.g != nil {
			n++
		}
	}
	return n + 1
}

// rouseShows reports whether a dump of all goroutines shows gp to the goroutine that asks for it, on
// whose behalf this runs on g0: a task sees tasks, and goroutine 1.
func rouseShows(gp *g) bool {
	me := getg().m.curg
	if me == nil || me.rouse == nil || me.rouse == &me.rouse.c.self {
		return true
	}
	return gp.goid == 1 || gp.rouse != nil && gp.rouse.c == me.rouse.c && gp != me.rouse.c.root
}
