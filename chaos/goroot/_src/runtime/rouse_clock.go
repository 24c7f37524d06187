package runtime

import (
	"internal/abi"
	"internal/rouse"
	"internal/stringslite"
	"unsafe"
)

// A task that asks for the time very often, and passes no point in between, may wait for it to pass. So after many
// looks each takes as long as on a slow machine, and after very many ones longer than the last.
const (
	rouseFewLooks     = 1 << 14
	rousePatientLooks = 1 << 20
	rouseLookTime     = 100 // nanoseconds
	rouseHurry        = 64  // looks after which each takes a nanosecond longer
)

// rouseLook returns the time of a group, which moves with each look: code that compares two readings
// breaks if they are equal.
func rouseLook(b *synctestBubble) int64 {
	if c := b.ctl; c != nil && !c.hook {
		b.now++
		if t := getg().rouse; t != nil {
			if t.quiet > 0 {
				return b.now
			}
			t.looks++
			if c.parent && rouseLacking == "" { // the caller is not looked for at each look
				if _, file, _ := rouseArmer(); stringslite.HasSuffix(file, "_test.go") {
					c.lackTime()
				}
			}
		}
		c.looks++
		switch n := int64(c.looks - c.looksAtPoint); {
		case n > rousePatientLooks:
			b.now += max((n-rousePatientLooks)/rouseHurry, rouseLookTime)
		case n > rouseFewLooks:
			b.now += rouseLookTime
		}
	}
	return b.now
}

// lackTime is called when a file of tests reads the clock or arms a timer. Once a child process has been started, that
// has to do with how long it takes, which is real.
func (c *RouseGroup) lackTime() {
	if c.parent {
		rouseLack("a child process takes real time, of which the clock shows nothing")
	}
}

// Now is the virtual time since the execution began.
func (c *RouseGroup) Now() int64 { return c.bubble.now - c.start }

// Looks counts how often tasks have asked for the time.
func (c *RouseGroup) Looks() int { return c.looks }

// LooksOf counts how often one has, or has looked at the channel of a timer.
func (c *RouseGroup) LooksOf(task int32) int { return c.tasks[task].looks }

// Armed counts the timers that tasks have armed, and their sleeps.
func (c *RouseGroup) Armed() (timers, sleeps int) { return c.armed, c.slept }

// NextTimer returns when the next timer fires.
func (c *RouseGroup) NextTimer() (at int64, pending bool) {
	rouseSweep(c.bubble)
	if at = c.bubble.timers.wakeTime(); at <= 0 {
		return 0, false
	}
	return at - c.start, true
}

// OnlySleeps reports whether all timers are those of sleeps, and no task is in a bubble of testing/synctest.
func (c *RouseGroup) OnlySleeps() bool {
	for _, t := range c.tasks {
		if t.g != nil && t.g.bubble != c.bubble {
			return false
		}
	}
	rouseSweep(c.bubble)
	only := true
	systemstack(func() {
		ts := &c.bubble.timers
		ts.lock()
		for _, w := range ts.heap {
			only = only && w.timer.rouseEndsSleep()
		}
		ts.unlock()
	})
	return only
}

// rouseSweep takes timers out of the heap that have been stopped, or that no task waits for any more, and moves
// those that have been reset, for which the heap has their old times. Both the next timer and what a look at a
// timer's channel finds depend on it.
func rouseSweep(b *synctestBubble) {
	if b == nil || b.ctl == nil {
		return
	}
	ts := &b.timers
	if ts.zombies.Load() == 0 && ts.minWhenModified.Load() == 0 {
		return
	}
	systemstack(func() {
		ts.lock()
		ts.adjust(b.now, true)
		ts.updateMinWhenHeap()
		ts.unlock()
	})
}

// rousePolled is called when a goroutine looks at the channel of a timer.
func rousePolled() {
	if b := getg().bubble; b != nil && b.ctl != nil {
		b.ctl.timerPolls++
		if t := getg().rouse; t != nil {
			t.looks++
		}
		rouseSweep(b)
	}
}

// TimerPolls counts how often tasks have looked at the channel of a timer, in all executions so far.
func (c *RouseGroup) TimerPolls() int { return c.timerPolls }

// Skip moves the time, up to the next timer.
func (c *RouseGroup) Skip(ns int64) {
	rouseSweep(c.bubble)
	if at := c.bubble.timers.wakeTime(); at <= 0 || c.bubble.now+ns < at {
		c.bubble.now += ns
	}
}

// Fire fires the next timer, at its time.
func (c *RouseGroup) Fire() {
	b := c.bubble
	next := b.timers.wakeTime()
	if next <= 0 {
		return
	}
	b.now, c.livedUntil = max(b.now, next), c.lived
	gp := getg()
	systemstack(func() {
		curg := gp.m.curg
		gp.m.curg = nil
		ts := &b.timers
		ts.lock()
		ts.adjust(b.now, false)
		ts.run(b.now, b)
		ts.unlock()
		gp.m.curg = curg
	})
	c.firing = 0
	if c.news {
		c.deliverInside()
	}
}

// rouseSleep is called before a goroutine sleeps.
func rouseSleep(ns int64) {
	gp := getg()
	gp.rouseSleeps = ns
	if t := gp.rouse; t != nil {
		rousePoint(rouse.Sleep, 0)
		rouseArms()
		t.c.slept++
		t.c.armed-- // by the timer of the sleep
	}
}

// Whether a file of tests arms a timer.
const (
	rouseByOther   uint8 = iota // none does, or by way of other code
	rouseByTest                 // by a function of package time
	rouseByContext              // by one of package context
)

// rouseArms is called before a task arms a timer, while it holds no lock. It notes whether a file of tests does.
func rouseArms() {
	t := rouseCaller()
	if t == nil || t.c.hook {
		return
	}
	if gp := getg(); rouseTraces(gp) {
		was := t.c.enterAside(gp)
		t.place = t.c.s.Arms()
		t.c.leave(gp, was)
	}
	_, file, context := rouseArmer()
	switch {
	case !stringslite.HasSuffix(file, "_test.go"):
		t.test = rouseByOther
	case context:
		t.test = rouseByContext
	default:
		t.test = rouseByTest
		t.c.lackTime()
	}
}

// rouseArmer returns the function that calls package time, or package context if that does, and its file; "" if that
// is not known.
func rouseArmer() (name, file string, context bool) {
	name, file = rouseOuter(func(name string) bool {
		context = context || stringslite.HasPrefix(name, "context.")
		return stringslite.HasPrefix(name, "time.") || stringslite.HasPrefix(name, "context.")
	})
	return name, file, context
}

// rouseOuter returns the innermost function on the stack that is neither of the runtime nor passed over, and its
// file; "" if that is not known.
func rouseOuter(passes func(name string) bool) (name, file string) {
	var pcs [16]uintptr
	for _, pc := range pcs[:callers(1, pcs[:])] {
		f := findfunc(pc - 1)
		if !f.valid() {
			break
		}
		u, frame := newInlineUnwinder(f, pc-1)
		if name = u.srcFunc(frame).name(); stringslite.HasPrefix(name, "runtime.") || passes(name) {
			continue
		}
		file, _ = u.fileLine(frame)
		return name, file
	}
	return "", ""
}

// rouseArmed notes on a timer that has been armed which task did it and for how long.
func rouseArmed(t *timer) {
	t.rouseBy, t.rouseFor, t.rouseLived, t.rouseAgain, t.rouseTest, t.rousePlace = 0, 0, 0, false, rouseByOther, 0
	task := rouseCaller()
	if task == nil || task.c.hook {
		return
	}
	c := task.c
	c.armed++
	t.rouseLived = c.lived
	t.rouseTest, task.test = task.test, rouseByOther
	t.rousePlace, task.place = task.place, 0
	t.rouseBy = c.bubble.id<<32 | uint64(uint32(task.id))
	if t.when > c.bubble.now {
		t.rouseFor = t.when - c.bubble.now
	}
	// Intervals vary, by jitter.
	t.rouseAgain = task.fired > 0 && t.rouseFor <= 2*task.fired && task.fired <= 2*t.rouseFor
}

// armer returns the task that rouseArmed has noted, if it is of this execution.
func (c *RouseGroup) armer(by uint64) int32 {
	if by>>32 != c.bubble.id&(1<<32-1) {
		return rouseNone
	}
	return int32(uint32(by))
}

// rouseFiring notes that t fires.
func rouseFiring(b *synctestBubble, t *timer) {
	if b == nil || b.ctl == nil {
		return
	}
	c := b.ctl
	c.firing, c.firingFor, c.fired = t.rouseBy, t.rouseFor, 0
	if by := c.armer(t.rouseBy); t.rouseBy != 0 && by >= 0 && int(by) < len(c.tasks) {
		c.tasks[by].fired, c.fired = t.rouseFor, t.rousePlace
	}
}

// Fired returns where the timer that has fired last was armed, of a trace.
func (c *RouseGroup) Fired() (place int32) { return c.fired }

// What NextKind returns, as package control has it.
const (
	rouseOneShot uint8 = iota
	rousePeriodic
	rouseSleeping
	rousePeriodicSleep
	rouseOfTest
	rouseOfContext
)

// NextKind returns the kind of the next timer. One is periodic, too, if the task that armed it, or the timer's
// function in which it was armed, follows a timer of about that duration.
func (c *RouseGroup) NextKind() (kind uint8) {
	rouseSweep(c.bubble)
	systemstack(func() {
		ts := &c.bubble.timers
		ts.lock()
		if len(ts.heap) > 0 {
			switch t := ts.heap[0].timer; {
			case t.rouseTest == rouseByTest, t.rouseEndsWait():
				kind = rouseOfTest
			case t.rouseTest == rouseByContext:
				kind = rouseOfContext
			case t.rouseEndsSleep() && t.rouseAgain:
				kind = rousePeriodicSleep
			case t.rouseEndsSleep():
				kind = rouseSleeping
			case t.period > 0 || t.rouseAgain:
				kind = rousePeriodic
			}
		}
		ts.unlock()
	})
	return kind
}

// rouseEndsSleep reports whether t ends a sleep.
func (t *timer) rouseEndsSleep() bool {
	return **(**uintptr)(unsafe.Pointer(&t.f)) == abi.FuncPCABIInternal(goroutineReady)
}

//go:nosplit
func (c *RouseGroup) rand() uint64 {
	c.rng += 0x9e3779b97f4a7c15
	return rouseMix(c.rng)
}
