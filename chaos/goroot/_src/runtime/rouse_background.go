package runtime

import (
	"internal/abi"
	"unsafe"
)

// A goroutine outside of executions, which a package's initialisation or TestMain has started, may wait for time to
// pass: one that takes expired entries out of a cache, or that keeps the time. Time that is virtual would pass it by.
// So while an execution is in progress its timers are held: real time does not bring them, and each has a time of
// the execution at which the engine fires it. Timers that were armed before have as long as then, counted from the
// beginning of the execution.

// rouseHeldFor is by how much a timer that is held is later.
const rouseHeldFor = 100 * 3600e9

// rouseBackground reports whether t is a timer of package time that a goroutine outside has armed, or ends its sleep.
// Others are those of the runtime, such as of the deadlines of connections.
func rouseBackground(t *timer) bool {
	if t.isFake {
		return false
	}
	if t.rouse != nil {
		return t.rouse.id == 0 && !t.rouse.engine
	}
	if gp := rouseSleeper(t); gp != nil {
		return gp.rouse == nil && !isSystemGoroutine(gp, false)
	}
	return false
}

// rouseSleeper returns the goroutine whose sleep t ends, or nil.
func rouseSleeper(t *timer) *g {
	if t.f == nil || **(**uintptr)(unsafe.Pointer(&t.f)) != abi.FuncPCABIInternal(goroutineReady) {
		return nil
	}
	return (*g)(efaceOf(&t.arg).data)
}

// rouseBackgroundArmed is called when a timer that is not virtual has been armed. t is locked.
func rouseBackgroundArmed(t *timer) {
	if !rouseWorker.on || !rouseBackground(t) {
		return
	}
	t.rouseDue = 0
	if gp := rouseSleeper(t); gp != nil {
		t.rouseFor = gp.rouseSleeps
	} else {
		t.rouseFor = max(0, t.when-getg().rouseAsked) // it has asked, to add to that
	}
	if b := rouseBubbleNow(); b != nil {
		t.rouseHold(b.now + t.rouseFor)
	}
}

// rouseBackgroundAgain is called when a periodic timer has been armed for the next time. t is locked.
func rouseBackgroundAgain(t *timer) {
	b := rouseBubbleNow()
	if t.period == 0 || t.rouseDue == 0 || b == nil {
		return
	}
	due := t.rouseDue
	t.rouseHold(due + t.period*(1+max(0, b.now-due)/t.period))
}

// rouseBackgroundUsed is called when somebody looks at t, or begins to wait for it. It may have been held in an execution
// that has ended, or armed before the one that runs. t is locked.
func rouseBackgroundUsed(t *timer, now int64) {
	if !rouseWorker.on || t.when == 0 || !rouseBackground(t) {
		return
	}
	b := rouseBubbleNow()
	if b == nil {
		if t.rouseDue != 0 {
			t.when, t.rouseDue = now+max(1, t.rouseFor), 0
		}
		return
	}
	if t.rouseDue == 0 {
		t.rouseHold(b.ctl.start + t.rouseFor)
	}
	if t.rouseDue <= b.now {
		t.when = now
	}
}

func (t *timer) rouseHold(due int64) {
	if due < 0 {
		due = maxWhen
	}
	t.rouseDue = due
	if t.when += rouseHeldFor; t.when < 0 {
		t.when = maxWhen
	}
}

// rouseEachBackground calls f for the timers in the heaps that goroutines outside have armed. If f returns true it has
// changed when.
func rouseEachBackground(f func(t *timer) bool) {
	systemstack(func() {
		for _, pp := range allp {
			ts := &pp.timers
			if ts.len.Load() == 0 {
				continue
			}
			ts.lock()
			ts.adjust(0, true)
			changed := false
			for i := range ts.heap {
				t := ts.heap[i].timer
				t.lock()
				if rouseBackground(t) && f(t) {
					ts.heap[i].when = t.when
					changed = true
				}
				t.unlock()
			}
			if changed {
				ts.initHeap()
				ts.updateMinWhenHeap()
			}
			ts.unlock()
		}
	})
}

// rouseHoldAll holds what goroutines outside wait for, at the beginning of an execution, and rouseReleaseAll lets
// real time bring it again.
func rouseHoldAll(b *synctestBubble) {
	rouseEachBackground(func(t *timer) bool {
		t.rouseHold(b.now + t.rouseFor)
		return true
	})
}

func rouseReleaseAll(b *synctestBubble) {
	now := rouseNanotime()
	rouseEachBackground(func(t *timer) bool {
		if t.rouseDue == 0 {
			return false
		}
		if t.when = now + max(1, t.rouseDue-b.now); t.when < 0 {
			t.when = maxWhen
		}
		t.rouseDue = 0
		return true
	})
}

// FireOutside moves the time to a timer that goroutines outside wait for: see control.Runtime.
func (c *RouseGroup) FireOutside(until int64, last bool) bool {
	b := c.bubble
	until += c.start
	first, to := int64(maxWhen), int64(0)
	rouseEachBackground(func(t *timer) bool {
		if due := t.rouseDue; due != 0 && due <= until {
			first, to = min(first, due), max(to, due)
		}
		return false
	})
	if to == 0 {
		return false
	}
	if !last {
		to = first
	}
	b.now = max(b.now, to)
	now := rouseNanotime()
	rouseEachBackground(func(t *timer) bool {
		if t.rouseDue == 0 || t.rouseDue > b.now {
			return false
		}
		t.when = now
		rouseWaiter(t)
		return true
	})
	gp := getg()
	systemstack(func() {
		curg := gp.m.curg
		gp.m.curg = nil
		for _, pp := range allp {
			pp.timers.check(now, nil)
		}
		gp.m.curg = curg
	})
	return true
}

// rouseWaiter notes who waits for a timer that goroutines outside have armed, as a source.
func rouseWaiter(t *timer) {
	s := &rouseSources[rouseBackgrounds]
	n := int(s.count.Add(1)) - 1
	if n >= len(s.stacks) {
		return
	}
	pcs := s.stacks[n][:]
	clear(pcs)
	gp := rouseSleeper(t)
	switch {
	case gp != nil:
	case t.isChan:
		if w := t.hchan().recvq.first; w != nil {
			gp = w.g
		}
	case efaceOf(&t.arg)._type.Kind() == abi.Func:
		pcs[0] = **(**uintptr)(efaceOf(&t.arg).data) + 1
	}
	if gp != nil && castogscanstatus(gp, _Gwaiting, _Gscanwaiting) { // so its stack stays where it is
		gcallers(gp, 0, pcs)
		casfrom_Gscanstatus(gp, _Gscanwaiting, _Gwaiting)
	}
}
