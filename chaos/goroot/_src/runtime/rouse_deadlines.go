package runtime

import (
	"internal/abi"
	"unsafe"
)

// The deadlines of descriptors that tasks set are timers of the execution, so that the time-out of a connection
// comes in its turn among sleeps. Those that goroutines outside set are in real time.

// rouseDeadline returns the time that a deadline of pd, whose lock is held, is counted from, and makes its timers
// follow that time.
func rouseDeadline(pd *pollDesc) int64 {
	now := rouseNanotime()
	if gp := getg(); gp.rouse != nil && gp.bubble != nil && gp.bubble.ctl != nil {
		if !pd.rt.isFake || !pd.wt.isFake {
			pd.rouseFollow(true, gp.bubble.now-now)
		}
		return gp.bubble.now
	}
	if pd.rt.isFake || pd.wt.isFake {
		later := int64(0)
		if c := (*RouseGroup)(rouseNow.Load()); c != nil && c.bubble != nil {
			later = now - c.bubble.now
		}
		pd.rouseFollow(false, later)
	}
	return now
}

// rouseFollow takes the timers of pd out of the heaps that they are in. They are armed again in another time, which
// is later by that.
func (pd *pollDesc) rouseFollow(virtual bool, later int64) {
	for _, t := range [2]*timer{&pd.rt, &pd.wt} {
		t.rouseLeave()
		t.isFake = virtual
	}
	pd.rseq++ // a timer may be about to fire
	pd.wseq++
	pd.rrun, pd.wrun = false, false
	for _, d := range [2]*int64{&pd.rd, &pd.wd} {
		if *d > 0 {
			*d = max(*d+later, 1)
		}
	}
}

// rouseLeave takes t out of the heap that it is in.
func (t *timer) rouseLeave() {
	t.lock()
	ts := t.rouseStop()
	t.unlock()
	ts.rouseClean()
}

// dropDeadlines takes the timers of deadlines out of the heap of an execution that has ended: its memory is
// collected, and theirs is not seen by the collector.
func (c *RouseGroup) dropDeadlines() {
	systemstack(func() {
		ts := &c.bubble.timers
		for {
			var left *timer
			ts.lock()
			for _, w := range ts.heap {
				if w.timer.rouseEndsWait() {
					left = w.timer
					break
				}
			}
			ts.unlock()
			if left == nil {
				return
			}
			left.rouseLeave()
			left.isFake = false
		}
	})
}

// rouseEndsWait reports whether t is a deadline of a descriptor.
func (t *timer) rouseEndsWait() bool {
	if t.f == nil {
		return false
	}
	f := **(**uintptr)(unsafe.Pointer(&t.f))
	return f == abi.FuncPCABIInternal(netpollDeadline) || f == abi.FuncPCABIInternal(netpollReadDeadline) || f == abi.FuncPCABIInternal(netpollWriteDeadline)
}
