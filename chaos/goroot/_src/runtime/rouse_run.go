package runtime

import (
	"internal/rouse"
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

// Run runs one execution: see control.Runtime.
func (c *RouseGroup) Run(s RouseScheduler, body func(), seed uint64, after, asides, traces bool) {
	gp := getg()
	if gp.bubble != nil || gp.rouse != nil {
		panic("rouse: a group within a group")
	}
	if c.start == 0 {
		c.start = rouseStart()
	}
	b := &synctestBubble{id: bubbleGen.Add(1), now: c.start, root: gp, ctl: c}
	lockInit(&b.mu, lockRankSynctest)
	lockInit(&b.timers.mu, lockRankTimers)
	c.begin(s, b, seed, after, asides, traces)
	c.root, c.racectx = gp, gp.racectx
	c.self = rouseTask{id: rouseNone, quiet: 1, c: c, g: gp, mode: rouseRunning}
	gp.rouse = &c.self
	atomic.Xadd(&rouse.On, 1)
	rouseBegin(c)
	pc := sys.GetCallerPC()
	gp.bubble = b
	systemstack(func() {
		fv := *(**funcval)(unsafe.Pointer(&body))
		newg := newproc1(fv, gp, pc, false, waitReasonZero)
		rouseNew(newg)
		newg.rouseStartedBy(gp)
	})
	gp.bubble = nil
	for next := rouseNone; ; {
		if next < 0 {
			c.hook = true
			if c.news || c.arrived.Load() != 0 {
				c.deliver()
			}
			next = s.Next()
			c.hook = false
		}
		if next < 0 {
			break
		}
		c.take(next)
		mcall(rouseSwitch_m)
		next = c.report()
	}
	lock(&c.lock)
	c.done = true
	unlock(&c.lock)
	atomic.Xadd(&rouse.On, -1)
	rouseEnd(c)
	gp.rouse = nil
	if raceenabled {
		raceacquireg(gp, b.raceaddr())
	}
}

// begin resets the group for an execution.
func (c *RouseGroup) begin(s RouseScheduler, b *synctestBubble, seed uint64, after, asides, traces bool) {
	c.s, c.bubble, c.seed, c.rng, c.after, c.asides, c.traces = s, b, seed, seed, after, asides, traces
	c.looks, c.looksAtPoint, c.armed, c.slept, c.firing, c.fired, c.draws, c.dumps = 0, 0, 0, 0, 0, 0, 0, 0
	c.lived, c.livedUntil, c.collectable = 0, 0, false
	c.procs = rouseOutsideProcs
	c.signals, c.alarms = 0, 0
	c.children = c.children[:0]
	c.tasks, c.strays, c.events, c.arrivals = c.tasks[:0], c.strays[:0], c.events[:0], c.arrivals[:0]
	c.failed, c.called, c.news, c.done, c.running, c.woken, c.externals = false, false, false, false, nil, false, false
	c.barred, work.goroutineLeak.count = c.barred[:0], 0
	c.stop, c.fileLocks, c.awaiting, c.redirected, c.parent = 0, 0, 0, false, false
	c.arrived.Store(0)
	c.interrupt.Store(0)
}

// report tells the engine, on the root, why the root has the turn: after what happened before that. It
// returns the task that continues, if the engine has chosen one.
func (c *RouseGroup) report() (next int32) {
	next = rouseNone
	c.hook = true
	if c.news {
		c.deliverInside()
	}
	switch c.left {
	case rouseParked:
		c.s.Parked(c.reason, c.external)
		if c.woken {
			c.woken = false
			c.s.Woken(c.running.id, rouseNone)
		}
	case rouseGone:
		c.s.Ended()
	case rouseInterrupted:
		c.s.Interrupted()
	case rouseAsks:
		if c.called || c.arrived.Load() != 0 {
			c.deliver()
		}
		next = c.askSystem()
	}
	c.hook = false
	return next
}

// Current returns the number of the calling task.
func (c *RouseGroup) Current() int32 {
	if t := getg().rouse; t != nil && t.c == c {
		return t.id
	}
	return rouseNone
}

// Call calls f as the engine is called.
func (c *RouseGroup) Call(f func()) {
	gp := getg()
	if c.hook || c.done {
		f()
		return
	}
	was := c.enter(gp)
	f()
	c.leave(gp, was)
}

// Entangled counts how often a task has woken a goroutine outside.
func (c *RouseGroup) Entangled() int { return c.entangled }

// Real returns the time of the monotonic clock.
func (c *RouseGroup) Real() int64 { return rouseNanotime() }

// Await waits, on the root, until something outside wakes a task.
func (c *RouseGroup) Await(ns int64) bool {
	c.wakeResting()
	c.awaitFileLocks()
	if c.arrived.Load() == 0 {
		c.await(ns)
	}
	if c.arrived.Load() == 0 {
		return false
	}
	c.deliver()
	return true
}

func (c *RouseGroup) await(ns int64) {
	if c.alarm == nil {
		c.alarm = new(timer)
		c.alarm.init(rouseAlarm, c)
	}
	c.alarmAt = rouseNanotime() + ns
	gopark(rouseIdle, unsafe.Pointer(c), waitReasonSleep, traceBlockSleep, 1)
	c.alarm.stop()
}

// rouseIdle reports whether the root waits: no task has been woken. The alarm is set only then, as one that
// went off before would wake nobody.
func rouseIdle(gp *g, p unsafe.Pointer) bool {
	c := (*RouseGroup)(p)
	lock(&c.lock)
	ok := len(c.arrivals) == 0
	if c.idle = ok; ok {
		c.alarm.reset(c.alarmAt, 0)
	}
	unlock(&c.lock)
	return ok
}

// rouseAlarm ends the root's wait.
func rouseAlarm(arg any, _ uintptr, _ int64) {
	c := arg.(*RouseGroup)
	lock(&c.lock)
	wake := c.idle
	c.idle = false
	unlock(&c.lock)
	if wake {
		goready(c.root, 0)
	}
}
