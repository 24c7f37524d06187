package runtime

import (
	"internal/abi"
	"internal/rouse"
	"unsafe"
)

const rouseYield = rouse.Gosched

// switchTo gives the turn from t, which could go on, to another task, or to the root if there is none.
// It returns when t gets the turn again.
func (c *RouseGroup) switchTo(t *rouseTask, next int32) {
	t.mode = rouseRunnable
	c.take(next)
	mcall(rouseSwitch_m)
	if c.stop == t.id+1 {
		rouseStop(c)
	}
}

// take notes who has the turn next.
func (c *RouseGroup) take(next int32) {
	if next < 0 {
		c.left = rouseStopped
		c.next = c.root
		return
	}
	t := c.tasks[next]
	t.mode = rouseRunning
	c.running = t
	c.next = t.g
}

// rouseSwitch_m leaves gp, which could go on, or the root, for c.next. It does by itself what
// casgstatus, dropg and execute do where nothing special is the matter, as coroswitch_m does.
func rouseSwitch_m(gp *g) {
	c := gp.rouse.c
	next := c.next
	mp := gp.m
	trace := traceAcquire()
	if trace.ok() || goroutineProfile.active || mp.lockedg != 0 || next.lockedm != 0 || mp.profilehz != sched.profilehz {
		if trace.ok() {
			trace.GoPreempt()
		}
		casgstatus(gp, _Grunning, _Grunnable)
		if trace.ok() {
			traceRelease(trace)
		}
		dropg()
		rouseResume(next)
	}
	alone := gomaxprocs == 1 // no other thread changes a status meanwhile
	if alone && gp.atomicstatus.Load() == _Grunning {
		gp.atomicstatus.StoreRelease(_Grunnable)
	} else if !gp.atomicstatus.CompareAndSwap(_Grunning, _Grunnable) {
		casgstatus(gp, _Grunning, _Grunnable) // the garbage collector looks at it
	}
	setMNoWB(&gp.m, nil)
	setGNoWB(&mp.curg, next)
	setMNoWB(&next.m, mp)
	if alone && next.atomicstatus.Load() == _Grunnable {
		next.atomicstatus.StoreRelease(_Grunning)
	} else if !next.atomicstatus.CompareAndSwap(_Grunnable, _Grunning) {
		casgstatus(next, _Grunnable, _Grunning)
	}
	next.syncSafePoint = false
	next.preempt = false
	next.stackguard0 = next.stack.lo + stackGuard
	gogo(&next.sched)
}

// rouseResume runs next, which could go on and is on no queue. It does not return.
func rouseResume(next *g) {
	mp := getg().m
	if mp.lockedg != 0 || next.lockedm != 0 {
		runqput(mp.p.ptr(), next, true)
		schedule()
	}
	execute(next, true)
}

// rouseWillPark is called before gp parks.
func rouseWillPark(gp *g, c *RouseGroup, reason waitReason) {
	t := gp.rouse
	if t == nil || t == &c.self || t.sys > 0 || c.done || c.hook {
		return
	}
	if rouseRuntimeWaits(reason) {
		return
	}
	t.mode = rouseWaiting
	if reason == waitReasonIOWait {
		t.mode = rouseExternal
		c.externals = true
	}
}

// rouseDidPark is called on g0 after a task has parked. It does not return if the task has given up
// its turn.
//
//go:yeswritebarrierrec
func rouseDidPark(c *RouseGroup, mode uint8, reason waitReason) {
	c.parking = 0
	if mode != rouseWaiting && mode != rouseExternal {
		return
	}
	c.left, c.reason, c.external = rouseParked, reason.String(), mode == rouseExternal
	rouseResume(c.root)
}

// rouseReady takes gp if it is a task that has parked.
//
//go:yeswritebarrierrec
func rouseReady(gp *g) bool {
	t := gp.rouse
	if t == nil {
		me := getg().m.curg
		if me == nil || me.rouse == nil && !me.rouseWoken || gp.bubble != nil || !rouseWaits(gp.waitreason) || isSystemGoroutine(gp, false) {
			return false
		}
		if task := rouseCaller(); task != nil {
			task.c.entangled++
			gp.rouseWoken = true
			rouseAnyWoken.Store(true)
		} else if me.rouseWoken { // what a task has asked for is passed on
			gp.rouseWoken = true
			rouseAnyWoken.Store(true)
		}
		return false
	}
	if t.mode != rouseWaiting && t.mode != rouseExternal {
		return false
	}
	if wake := rouseWake(t); wake != nil {
		ready(wake, 0, true)
	}
	return true
}

// rouseCaller returns the task that runs on this thread, or nil.
func rouseCaller() *rouseTask {
	if me := getg().m.curg; me != nil {
		if t := me.rouse; t != nil && t != &t.c.self {
			return t
		}
	}
	return nil
}

// rouseWake makes t able to go on, and returns the root if that waits for it.
//
//go:yeswritebarrierrec
func rouseWake(t *rouseTask) *g {
	c := t.c
	me := getg()
	parking := c.parking == uintptr(unsafe.Pointer(me.m)) // on behalf of the task that is about to wait
	if parking && t == c.running {
		t.mode = rouseRunnable
		c.woken = true
		return nil
	}
	if !c.polling && (parking || rouseGroup(me) == c || me.m.curg != nil && (rouseGroup(me.m.curg) == c || me.m.curg == c.root)) {
		by := rouseNone
		if parking {
			by = c.running.id
		} else if w := rouseCaller(); w != nil {
			by = w.id
		}
		t.mode = rouseRunnable
		c.record(rouseEvent{task: t.id, by: by})
		return nil
	}
	if by, ok := c.rouseFromSignal(); ok {
		t.mode = rouseRunnable
		c.record(rouseEvent{task: t.id, by: by})
		return nil
	}
	var wake *g
	lock(&c.lock)
	c.arrive(t)
	if c.idle {
		c.idle = false
		wake = c.root
	}
	unlock(&c.lock)
	return wake
}

// arrive notes, with the lock held, that something outside has woken t. In which order that comes is chance, so
// arrivals are in the order of the tasks.
func (c *RouseGroup) arrive(t *rouseTask) {
	t.mode = rouseRunnable
	n := len(c.arrivals)
	c.arrivals = c.arrivals[:n+1]
	for ; n > 0 && c.arrivals[n-1] > t.id; n-- {
		c.arrivals[n] = c.arrivals[n-1]
	}
	c.arrivals[n] = t.id
	c.arrived.Store(int32(len(c.arrivals)))
}

// rouseNet takes gp, which the network poller has found, if it is a task. It returns the goroutine to
// run instead: the root, if that waits, or nil.
//
//go:yeswritebarrierrec
func rouseNet(gp *g) *g {
	t := gp.rouse
	if t == nil || t.mode != rouseExternal && t.mode != rouseWaiting {
		return gp
	}
	casgstatus(gp, _Gwaiting, _Grunnable)
	return rouseWake(t)
}

// rouseNew makes a new goroutine a task if it belongs to a group. It runs on g0.
func rouseNew(newg *g) bool {
	c := rouseGroup(newg)
	if c == nil || c.done {
		return false
	}
	t := c.newTask(newg)
	if rouseWorker.debugged { // it stops before its first statement, on its own stack
		t.first = newg.sched.ctxt
		newg.sched.ctxt, newg.sched.pc = nil, abi.FuncPCABIInternal(rouseFirst)
	}
	parent := rouseNone
	if me := rouseCaller(); me != nil && me.c == c {
		parent, t.child = me.id, me.child
	} else if c.firing != 0 {
		parent = c.armer(c.firing)
		t.fired = c.firingFor
	}
	c.record(rouseEvent{task: t.id, by: parent, started: true, pc: newg.gopc})
	return true
}

// rouseExit is called on g0 before gp ends, and returns its group if it is a task.
//
//go:yeswritebarrierrec
func rouseExit(gp *g) *RouseGroup {
	t := gp.rouse
	if t == nil {
		return nil
	}
	c := t.c
	gp.rouse = nil
	t.mode, t.g = rouseEnded, nil
	if c.done {
		return nil
	}
	c.left = rouseGone
	if gp.lockedm != 0 { // its thread ends, too
		runqput(getg().m.p.ptr(), c.root, true)
		return nil
	}
	return c
}

func rouseExited(c *RouseGroup) { rouseResume(c.root) }

// rouseCoro notes a new coroutine and the goroutine that made it. While one of the two runs, it is the
// task; the other one is not, and has to be found when the execution ends.
func rouseCoro(gp, coro *g) {
	if c := rouseGroup(gp); c != nil && !c.done {
		s := rouseStray{g: coro, goid: coro.goid, coro: true, maker: rouseNone}
		if t := gp.rouse; t != nil {
			s.maker = t.id
		}
		s.stack[0] = 0
		gcallers(gp, 0, s.stack[:])
		c.strays = append(c.strays, rouseStray{g: gp, goid: gp.goid}, s)
	}
}

// rouseMove makes next the goroutine of a task that has switched to a coroutine, or back.
//
//go:yeswritebarrierrec
func rouseMove(t *rouseTask, next *g) {
	if t != nil {
		next.rouse = t
		t.g = next
	}
}
