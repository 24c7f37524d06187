package runtime

import _ "unsafe" // linkname

// rousePanicked is called when nothing has recovered a panic, and does not return for a task.
//
//go:yeswritebarrierrec
func rousePanicked(v any) { rouseFail(v, false) }

// rouseFatal is called before a fatal error. Without a task nothing is allocated: there may be no processor.
//
//go:yeswritebarrierrec
func rouseFatal(s string) {
	if getg().rouse != nil {
		rouseFail(s, true)
	}
}

func rouseFail(v any, fatal bool) {
	gp := getg()
	t := gp.rouse
	if t == nil || t == &t.c.self || gp != gp.m.curg || gp.m.locks != 0 || t.c.hook || t.c.done {
		return
	}
	c := t.c
	was := c.enter(gp)
	buf := make([]byte, 64<<10)
	c.s.Panicked(v, fatal, buf[:Stack(buf, false)])
	c.leave(gp, was)
	t.sys, t.quiet = 0, 0
	for {
		c.switchTo(t, rouseNone)
	}
}

// rouseUnpreempted is how long a task has to have passed no point before it is preempted. When that happens is
// chance, and shows: in what a directory is read in, as the signal cuts a system call short, and in what is left
// on a stack, and so in a state.
const rouseUnpreempted = 1e9

// rousePoints counts the calls of the engine.
var rousePoints uint32

// rousePassed is what the monitor of the runtime has read of that last, and when it was different.
var rousePassed struct {
	points uint32
	since  int64
}

// rousePreempts reports whether a goroutine that has run long is preempted. It is called by the monitor, and
// need not be exact.
func rousePreempts(now int64) bool {
	if n := rousePoints; n != rousePassed.points {
		rousePassed.points, rousePassed.since = n, now
	}
	return now > rousePassed.since+rouseUnpreempted
}

// Interrupt has the running task stop at its next preemption, which the monitor of the runtime asks
// for when the task has passed no point for a second.
func (c *RouseGroup) Interrupt() { c.interrupt.Store(1) }

// rouseInterrupt is called on g0 when gp is preempted. It does not return if the task is stopped.
//
//go:yeswritebarrierrec
func rouseInterrupt(gp *g) {
	t := gp.rouse
	if t == nil || t == &t.c.self || t.c.interrupt.Load() == 0 || t.c.hook || t.c.done || t.mode != rouseRunning {
		return
	}
	c := t.c
	c.interrupt.Store(0)
	c.left = rouseInterrupted
	casgstatus(gp, _Grunning, _Grunnable)
	dropg()
	rouseResume(c.root)
}

// Stack writes the program counters of a task's stack, innermost first.
func (c *RouseGroup) Stack(task int32, pcs []uintptr) int {
	gp := c.tasks[task].g
	if gp == nil || len(pcs) == 0 {
		return 0
	}
	if gp == getg() {
		return callers(1, pcs)
	}
	n := 0
	systemstack(func() {
		var u unwinder
		u.initAt(^uintptr(0), ^uintptr(0), 0, gp, unwindSilentErrors)
		n = tracebackPCs(&u, 0, pcs)
	})
	return n
}

// Reap ends the tasks that are left, without running any of their code. It returns why the process
// should run no more executions; "" is no reason.
func (c *RouseGroup) Reap() (tainted string) {
	any := len(c.strays) > 0
	for _, t := range c.tasks {
		if t.g != nil {
			any = true
			if t.sys != 0 {
				c.tainted = "a task was left inside the runtime"
			} else if t.quiet != 0 {
				c.tainted = "a task was left inside an operation of the standard library"
			}
		}
	}
	if any {
		gp := getg()
		gp.rouse = &c.self
		mcall(rouseReap_m)
		gp.rouse = nil
		for _, t := range c.tasks {
			if t.g != nil {
				c.tainted = "a task could not be ended: " + t.g.waitreason.String()
				switch t.mode {
				case rouseRunning: // its registers are saved, so it stays
					c.tainted = "a task was stopped while it computed"
					t.g.rouseLeft = true
				case rouseRunnable: // on no queue
					t.g.rouseLeft = true
				}
				t.g.rouse = nil // the g outlives the task
				c.made[t.id] = new(rouseTask)
			}
		}
	}
	c.dropDeadlines()
	c.bubble, c.s = nil, nil
	return c.tainted
}

func rouseReap_m(root *g) {
	c := root.rouse.c
	casgstatus(root, _Grunning, _Grunnable)
	dropg()
	for _, t := range c.tasks {
		if gp := t.g; gp != nil {
			gp.bubble = c.bubble // a bubble of testing/synctest counts no more
		}
	}
	for _, t := range c.tasks {
		if gp := t.g; gp != nil && t.mode != rouseExternal && t.mode != rouseRunning && t.sys == 0 {
			rouseDestroy(gp)
		}
	}
	for _, s := range c.strays {
		if s.g.goid == s.goid && s.g.rouse == nil && s.g.bubble == c.bubble && readgstatus(s.g) == _Gwaiting && s.g.waitreason == waitReasonCoroutine {
			rouseDestroy(s.g)
		}
	}
	rouseResume(root)
}

// rouseDestroy ends gp if that is possible.
func rouseDestroy(gp *g) {
	mp := getg().m
	if gp.lockedm != 0 {
		return
	}
	status := readgstatus(gp)
	for status&_Gscan != 0 { // the garbage collector looks at its stack
		osyield()
		status = readgstatus(gp)
	}
	if rouseLeaked(gp, status) {
		status = _Gwaiting
	}
	if status != _Gwaiting && status != _Grunnable {
		return
	}
	rouseDropTimer(gp)
	rouseUnqueue(gp, status)
	if status == _Gwaiting {
		casgstatus(gp, _Gwaiting, _Grunnable)
	}
	gp.waiting = nil
	gp.activeStackChans = false
	gp.parkingOnChan.Store(false)
	gp.selectDone.Store(0)
	gp.param = nil
	gp.coroarg = nil
	if raceenabled {
		rouseRaceEnd(gp.racectx)
		gp.racectx = 0
	}
	mp.curg = gp
	gp.m = mp
	casgstatus(gp, _Grunnable, _Grunning)
	gdestroy(gp)
}

// rouseUnqueue takes gp out of what it waits in.
func rouseUnqueue(gp *g, status uint32) {
	for s := gp.waiting; s != nil; {
		next := s.waitlink
		if c := s.c.get(); c != nil { // of a channel
			lock(&c.lock)
			q := &c.sendq // but for its ends, a waiter is taken out of either queue in the same way
			if c.recvq.first == s || c.recvq.last == s {
				q = &c.recvq
			}
			q.dequeueSudoG(s)
			if c.timer != nil && status == _Gwaiting {
				unblockTimerChan(c)
			}
			unlock(&c.lock)
			s.elem.set(nil) // it is on a stack that may be freed, and the collector may still see s
		} else if status == _Gwaiting && gp.waitreason == waitReasonSyncCondWait {
			rouseUnnotify((*notifyList)(s.elem.get()), s)
			next = nil
		} else if status == _Gwaiting && s.elem.get() != nil { // of a semaphore
			rouseUnsema(gp, (*uint32)(s.elem.get()))
			next = nil
		} else {
			next = nil
		}
		s = next
	}
}

// rouseUnnotify takes s out of the waiters of a condition, and gives its ticket back: it would take a signal.
func rouseUnnotify(l *notifyList, s *sudog) {
	lockWithRank(&l.lock, lockRankNotifyList)
	var prev *sudog
	for x := l.head; x != nil; prev, x = x, x.next {
		if x != s {
			continue
		}
		if prev == nil {
			l.head = x.next
		} else {
			prev.next = x.next
		}
		if l.tail == x {
			l.tail = prev
		}
		l.wait.Add(-1)
		for x := l.head; x != nil; x = x.next {
			if less(s.ticket, x.ticket) {
				x.ticket--
			}
		}
		break
	}
	s.next = nil
	unlock(&l.lock)
}

// rouseUnsema takes all waiters out of the queue of a semaphore that gp waits for. Those outside of the
// group look again.
func rouseUnsema(gp *g, addr *uint32) {
	root := semtable.rootFor(addr)
	for {
		lockWithRank(&root.lock, lockRankRoot)
		s, _, _ := root.dequeue(addr)
		if s != nil {
			root.nwait.Add(-1)
		}
		unlock(&root.lock)
		if s == nil {
			return
		}
		if other := s.g; other != gp && other.bubble != gp.bubble {
			ready(other, 0, false)
		}
	}
}

// rouseLoud ends the quiet regions of the current task, which fails now: a panic that nobody
// recovers, or a fatal error.
func rouseLoud() {
	if t := getg().rouse; t != nil {
		t.quiet = 0
	}
}

// rouseOSExit ends the execution of a task that wants to end the process.
//
//go:linkname rouseOSExit os.rouseExit
func rouseOSExit(code int) {
	rouseLoud()
	var buf [20]byte
	sign := ""
	if code < 0 {
		sign, code = "-", -code
	}
	rouseFail("os.Exit("+sign+string(itoa(buf[:], uint64(code)))+")", true)
}
