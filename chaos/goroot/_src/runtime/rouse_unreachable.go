package runtime

import "unsafe"

// rouseNever is control.Never.
const rouseNever = 1

// Unreachable reports which of the tasks the garbage collector finds that nothing can wake. locks has the
// address of the lock that a task has stopped before, 0 if it has parked, and control.Never if nothing can
// wake it.
func (c *RouseGroup) Unreachable(tasks []int32, locks []uintptr) []bool {
	count := work.goroutineLeak.count // of the profile that a task has taken last
	for _, task := range tasks {
		if gp := c.tasks[task].g; gp != nil {
			rouseLeaked(gp, readgstatus(gp))
		}
	}
	c.pretend(tasks, locks, true)
	goroutineLeakGC()
	found := make([]bool, len(tasks))
	for i, task := range tasks {
		if gp := c.tasks[task].g; gp != nil {
			found[i] = readgstatus(gp)&^_Gscan == _Gleaked
			rouseLeaked(gp, readgstatus(gp))
		}
	}
	c.pretend(tasks, locks, false)
	work.goroutineLeak.count = count
	return found
}

// A rouseBarred is a task that has stopped before a lock and waits for it as far as the garbage collector
// and the profile of leaked goroutines see, as it would without the engine.
type rouseBarred struct {
	task  int32
	reads bool
	lock  uintptr
}

// rouseLeakGC is called when a task takes the profile of leaked goroutines, before the collection.
func rouseLeakGC() {
	t := getg().rouse
	if t == nil || t == &t.c.self || !rouseCan(getg(), t) {
		return
	}
	c := t.c
	c.barred = c.barred[:0]
	was := c.enter(getg())
	for {
		task, lock, reads := c.s.Barred(len(c.barred))
		if task < 0 {
			break
		}
		c.barred = append(c.barred, rouseBarred{task: task, lock: lock, reads: reads})
	}
	c.leave(getg(), was)
	systemstack(func() {
		for _, b := range c.barred {
			reason := waitReasonSyncMutexLock
			if b.reads {
				reason = waitReasonSyncRWMutexRLock
			}
			c.tasks[b.task].g.rouseBar(b.lock, reason)
		}
	})
}

// rouseLeakGCDone is called after that collection. What is not leaked does not wait any more.
func rouseLeakGCDone() {
	t := getg().rouse
	if t == nil || t == &t.c.self || len(t.c.barred) == 0 {
		return
	}
	c := t.c
	systemstack(func() {
		n := 0
		for _, b := range c.barred {
			gp := c.tasks[b.task].g
			if gp.rouseDropSudog(); readgstatus(gp) == _Gleaked {
				c.barred[n] = b
				n++
			} else {
				casgstatus(gp, _Gwaiting, _Grunnable)
			}
		}
		c.barred = c.barred[:n]
	})
}

// rouseLeaksShown is called when the profile has been taken.
//
//go:linkname rouseLeaksShown runtime/pprof.rouseLeaksShown
func rouseLeaksShown() {
	t := getg().rouse
	if t == nil || len(t.c.barred) == 0 {
		return
	}
	c := t.c
	systemstack(func() {
		for _, b := range c.barred {
			gp := c.tasks[b.task].g
			rouseLeaked(gp, readgstatus(gp))
			casgstatus(gp, _Gwaiting, _Grunnable)
		}
		c.barred = c.barred[:0]
	})
}

// pretend makes the tasks that have stopped before a lock wait for it as far as the garbage collector
// sees, or undoes that.
func (c *RouseGroup) pretend(tasks []int32, locks []uintptr, begin bool) {
	systemstack(func() {
		for i, task := range tasks {
			gp := c.tasks[task].g
			if locks[i] == 0 || gp == nil {
				continue
			}
			if t := c.tasks[task]; locks[i] == rouseNever && readgstatus(gp)&^_Gscan == _Gwaiting && t.reason == 0 && begin {
				t.reason, gp.waitreason = gp.waitreason, waitReasonSelectNoCases
				continue
			} else if t.reason != 0 {
				gp.waitreason, t.reason = t.reason, 0
				continue
			}
			switch {
			case !begin:
				gp.rouseDropSudog()
				casgstatus(gp, _Gwaiting, _Grunnable)
			case locks[i] == rouseNever:
				gp.rouseBar(0, waitReasonSelectNoCases)
			default:
				gp.rouseBar(locks[i], waitReasonSyncMutexLock)
			}
		}
	})
}

// rouseBar makes gp, which can go on, wait for a lock as far as the garbage collector sees.
func (gp *g) rouseBar(lock uintptr, reason waitReason) {
	s := acquireSudog()
	s.g = gp
	s.elem.set(unsafe.Pointer(lock))
	gp.waiting, gp.waitreason = s, reason
	casgstatus(gp, _Grunnable, _Gwaiting)
}

func (gp *g) rouseDropSudog() {
	s := gp.waiting
	gp.waiting = nil
	s.g = nil
	s.elem.set(nil)
	releaseSudog(s)
}

// rouseLeaked makes gp wait again if it has been found unreachable, and reports whether it has.
func rouseLeaked(gp *g, status uint32) bool {
	return status == _Gleaked && gp.atomicstatus.CompareAndSwap(_Gleaked, _Gwaiting)
}
