//go:build go1.26

package runtime

import "unsafe"

const rouseTraced = true // a g knows the sudog of the semaphore that it waits for

func rouseSudogChan(s *sudog) *hchan         { return s.c.get() }
func rouseSudogElem(s *sudog) unsafe.Pointer { return s.elem.get() }

// Unreachable reports which of the tasks, which have parked, the garbage collector finds that nothing
// can wake.
func (c *RouseGroup) Unreachable(tasks []int32) ([]bool, bool) {
	goroutineLeakGC()
	found := make([]bool, len(tasks))
	for i, task := range tasks {
		if gp := c.tasks[task].g; gp != nil {
			found[i] = readgstatus(gp)&^_Gscan == _Gleaked
		}
	}
	return found, true
}

// rouseLeaked makes gp wait again if it has been found unreachable, and reports whether it has.
func rouseLeaked(gp *g, status uint32) bool {
	return status == _Gleaked && gp.atomicstatus.CompareAndSwap(_Gleaked, _Gwaiting)
}
