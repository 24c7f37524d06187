package runtime

import "unsafe"

// rouseNever is control.Never.
const rouseNever = 1

// Unreachable reports which of the tasks the garbage collector finds that nothing can wake. locks has the
// address of the lock that a task has stopped before, 0 if it has parked, and control.Never if nothing can
// wake it.
func (c *RouseGroup) Unreachable(tasks []int32, locks []uintptr) []bool {
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
	return found
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
			if begin {
				s := acquireSudog()
				s.g = gp
				gp.waiting = s
				if gp.waitreason = waitReasonSelectNoCases; locks[i] != rouseNever {
					s.elem.set(unsafe.Pointer(locks[i]))
					gp.waitreason = waitReasonSyncMutexLock
				}
				casgstatus(gp, _Grunnable, _Gwaiting)
			} else {
				s := gp.waiting
				gp.waiting = nil
				s.g = nil
				s.elem.set(nil)
				releaseSudog(s)
				casgstatus(gp, _Gwaiting, _Grunnable)
			}
		}
	})
}

// rouseLeaked makes gp wait again if it has been found unreachable, and reports whether it has.
func rouseLeaked(gp *g, status uint32) bool {
	return status == _Gleaked && gp.atomicstatus.CompareAndSwap(_Gleaked, _Gwaiting)
}
