package runtime

import (
	"internal/rouse"
	"internal/runtime/atomic"
	_ "unsafe" // linkname
)

// rouseSignals is called when a task calls package os/signal, and when that returns. It waits for
// goroutines outside, and what they do later may wake a task.
//
//go:linkname rouseSignals os/signal.rouseInside
func rouseSignals(d int32) {
	if t := getg().rouse; t != nil {
		if d > 0 && t.sys == 0 {
			rousePoint(rouse.Syscall, 0) // a signal may come before
		}
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

// rouseCount is the number of goroutines that the current task knows of, 0 if the caller is not a task: the
// tasks, and goroutine 1, which waits for the test.
func rouseCount() (n int) {
	t := getg().rouse
	if t == nil || t == &t.c.self {
		return 0
	}
	rouseLooks()
	for _, t := range t.c.tasks {
		if t.g != nil {
			n++
		}
	}
	for i := range t.c.strays { // of a coroutine and the goroutine that continues it, one is the task
		if s := &t.c.strays[i]; s.coro && s.lives() {
			n++
		}
	}
	return n + 1
}

// rouseLooks is called before a task looks at the other goroutines: it may wait in a loop for one to get
// somewhere.
func rouseLooks() {
	if t := getg().rouse; t != nil && t.quiet == 0 {
		t.c.dumps++
	}
	rousePoint(rouseYield, 0)
}

// rouseShows reports whether a dump of all goroutines shows gp to the goroutine that asks for it, on
// whose behalf this runs on g0: a task sees tasks, and goroutine 1.
func rouseShows(gp *g) bool {
	me := getg().m.curg
	if me == nil || me.rouse == nil || me.rouse == &me.rouse.c.self {
		return true
	}
	c := me.rouse.c
	for i := range c.strays {
		if s := &c.strays[i]; s.g == gp && s.lives() {
			return true
		}
	}
	return gp.goid == 1 || gp.rouse != nil && gp.rouse.c == c && gp != c.root
}

// rouseHarness has the entries of the functions that call a test's own one for go test, which stacks do not show.
//
//go:linkname rouseHarness testing.rouseHarness
var rouseHarness [4]uintptr

// rouseHides reports whether a stack does not show the function with that entry.
func rouseHides(entry uintptr) bool {
	for _, hidden := range rouseHarness {
		if hidden == entry {
			return true
		}
	}
	return false
}

// Others lets goroutines outside run that can, and takes what the network poller has. What waits until no task can
// continue goes on, too: one may poll for ever until that has done something.
func (c *RouseGroup) Others() {
	c.fetch()
	c.wakeResting()
	Gosched() // no point, as the engine calls this
}

// Busy reports, on the root, whether something outside may be about to wake a task: a goroutine outside
// runs or can run, or the network poller has what nobody has fetched. That takes no time, unlike Await: a
// machine that is busy with other things may not have let them go on.
func (c *RouseGroup) Busy() bool {
	if c.alarmed() || c.fetch() || c.arrived.Load() != 0 {
		return true
	}
	if rouseProcsIdle() {
		return false
	}
	busy, me := false, getg()
	rouseEachOutside(func(gp *g, status uint32) {
		busy = busy || gp != me && (status == _Grunnable || status == _Grunning)
	})
	return busy || c.arrived.Load() != 0 // meanwhile
}

// rouseProcsIdle reports whether no goroutine but the caller runs or can run: no other processor has a thread, and none
// is in a queue. That is known without a look at each goroutine.
func rouseProcsIdle() bool {
	return sched.npidle.Load() == gomaxprocs-1 && sched.runq.size == 0 && runqempty(getg().m.p.ptr())
}

// rouseEachOutside calls f with the goroutines outside that are not the runtime's own, and their status.
func rouseEachOutside(f func(gp *g, status uint32)) {
	forEachG(func(gp *g) {
		status := readgstatus(gp) &^ _Gscan
		if status != _Gdead && gp.rouse == nil && !gp.rouseLeft && !isSystemGoroutine(gp, false) {
			f(gp, status)
		}
	})
}

// Awaited reports, on the root, whether a goroutine outside that a task has woken, or that one of those has woken,
// has yet to come back to where it waits for another: it runs, or is in a system call.
func (c *RouseGroup) Awaited() bool {
	if !rouseAnyWoken.Load() {
		return false
	}
	rouseAnyWoken.Store(false)
	awaited, me := false, getg()
	forEachG(func(gp *g) {
		if gp == me || !gp.rouseWoken {
			return
		}
		switch status := readgstatus(gp) &^ _Gscan; {
		case status == _Gdead, status == _Gwaiting && (rouseWaits(gp.waitreason) || gp.waitreason == waitReasonIOWait):
			gp.rouseWoken = false
			return
		case status == _Gwaiting && gp.waitreason == waitReasonSleep: // until the time of the execution comes to it
		default:
			awaited = true
		}
		rouseAnyWoken.Store(true)
	})
	return awaited
}

// rouseAnyWoken: rouseWoken may be set in a goroutine.
var rouseAnyWoken atomic.Bool

// Idle reports whether nothing outside goes on by itself: goroutines outside wait for others of this process, and no timer
// is pending that they have armed.
func (c *RouseGroup) Idle() bool {
	idle := c.arrived.Load() == 0 && len(c.children) == 0 && !c.Awaited()
	rouseEachBackground(func(t *timer) bool {
		idle = idle && t.rouseDue == 0
		return false
	})
	rouseEachOutside(func(gp *g, status uint32) {
		runs := status == _Grunnable || status == _Grunning || status == _Gsyscall
		idle = idle && !runs && (status != _Gwaiting || gp.waitreason != waitReasonIOWait)
	})
	return idle
}

// rousePolls reports whether the monitor may poll the network: not while an execution is in progress.
func rousePolls() bool { return rouseNow.Load() == nil }

// fetch takes what the network poller has, and reports whether it has had something for others than tasks.
func (c *RouseGroup) fetch() (others bool) {
	systemstack(func() {
		if netpollinited() {
			rouseAwaitPoller()
			c.polling = true
			list, delta := netpoll(0)
			c.polling = false
			others = !list.empty()
			injectglist(&list)
			netpollAdjustWaiters(delta)
		}
	})
	return others
}
