package runtime

import (
	"internal/rouse"
	_ "unsafe" // linkname
)

// A system call of package syscall may have addresses on the caller's stack as integers, so the stack must
// not grow, and the engine is not called on it: the root asks on behalf of the task.

// What a task knows of the system call that it is about to make.
const (
	rouseIsPoint uint8 = 1 + iota
	rouseHarmless
)

// rouseConcernsProcess is called before a system call that concerns the process alone.
//
//go:nosplit
//go:linkname rouseConcernsProcess syscall.rouseConcernsProcess
func rouseConcernsProcess() {
	if t := getg().rouse; t != nil {
		t.call = rouseHarmless
	}
}

// rouseFileLock is the reason of a task that waits for the lock of a file.
const rouseFileLock = "file lock"

// mostFileLock bounds, in nanoseconds of real time, how long a lock of a file may be held by another process
// while nothing here can continue.
const mostFileLock = 3e8

// fileLockEvery is the time between two looks at such a lock.
const fileLockEvery = 5e6

// rouseSystem is called before a system call, number trap, and reports whether that is a point.
//
//go:nosplit
//go:linkname rouseSystem syscall.rouseSystem
func rouseSystem(op uint8, trap uintptr) bool {
	gp := getg()
	t := gp.rouse
	if t == nil {
		return rouseNative.on.Load() && rouseSystemDelay(gp)
	}
	if !rouseCan(gp, t) || t == &t.c.self || t.c.parent {
		return false
	}
	again := t.again && trap == t.trap
	t.again = false
	if again {
		t.call = rouseIsPoint
		return true
	}
	t.system, t.trap = op, trap
	t.c.looksAtPoint = t.c.looks
	rouseAsk(gp, t)
	t.call = rouseIsPoint
	return true
}

// rouseAsk has the root ask the engine, and returns when t has been chosen.
//
//go:nosplit
func rouseAsk(gp *g, t *rouseTask) {
	gp.parkingOnChan.Store(true) // its stack must not shrink
	mcall(rouseAsk_m)
	gp.parkingOnChan.Store(false)
	if t.c.stop == t.id+1 {
		rouseStop(t.c)
	}
}

func rouseAsk_m(gp *g) {
	t := gp.rouse
	c := t.c
	t.mode = rouseRunnable
	c.left = rouseAsks
	c.next = c.root
	rouseSwitch_m(gp)
}

// rouseSystemDone is called after a system call that was a point. failed: it has done no more than read.
// interrupted: a signal has ended it, whenever that came, so that it is made again, which is no other point.
//
//go:nosplit
//go:linkname rouseSystemDone syscall.rouseSystemDone
func rouseSystemDone(failed, interrupted bool) {
	gp := getg()
	t := gp.rouse
	if t == nil {
		rouseSystemDelay(gp)
		return
	}
	c := t.c
	t.call = 0
	if t.again = interrupted; interrupted {
		return
	}
	if failed {
		c.failed, c.news = true, true
		return
	}
	if t.system == rouse.SyscallRead {
		return
	}
	c.called, c.news = true, true
	if c.fileLocks > 0 {
		c.wakeFileLocks()
	}
	if c.after && rouseCan(gp, t) {
		t.system = rouse.AfterDone
		rouseAsk(gp, t)
	}
}

// askSystem asks the engine, on the root, about a system call of the task that had the turn last.
func (c *RouseGroup) askSystem() int32 {
	if op := c.running.system; op != rouse.AfterDone {
		return c.s.Point(op, nil, nil, 0)
	}
	return c.s.After()
}

// rouseTransfer is called before a read or a write of a file, which other reads or writes of that exclude.
//
//go:linkname rouseTransfer internal/rouse.Transfer
func rouseTransfer(file, fd uintptr, reads bool) {
	t := getg().rouse
	switch {
	case t == nil || !t.c.parent:
		rousePoint(rouse.Lock, file)
	case reads && t.copies():
		t.reads, t.piped = fd, 0
		if t.child != 0 {
			rouseRest(t, rouseRestsCopies)
		}
	}
}

// rouseRedirected reports whether the execution has put something else in place of the standard output or
// error, or, with set, notes that it has.
//
//go:nosplit
//go:linkname rouseRedirected syscall.rouseRedirected
func rouseRedirected(set bool) bool {
	t := getg().rouse
	if t == nil {
		return false
	}
	if set {
		t.c.redirected = true
	}
	return t.c.redirected
}

// rouseAwaitFile makes a task wait that has found the lock of a file held, until another task has done
// something to the world outside, or the lock is free. The system call with these arguments takes it if it is.
//
//go:nosplit
//go:linkname rouseAwaitFile syscall.rouseAwaitFile
func rouseAwaitFile(trap, a1, a2, a3 uintptr) {
	t := getg().rouse
	t.takes = [4]uintptr{trap, a1, a2, a3}
	t.c.entangled++ // another process may have it
	t.fileLock = true
	t.c.fileLocks++
	rouseParks(t, rouseFileLock, false)
}

// rouseParks makes the current task wait until it is woken. external: only something from outside does that.
//
//go:nosplit
func rouseParks(t *rouseTask, reason string, external bool) {
	t.c.reason, t.c.external = reason, external
	t.g.parkingOnChan.Store(true) // its stack must not shrink
	mcall(rouseParks_m)
	t.g.parkingOnChan.Store(false)
}

func rouseParks_m(gp *g) {
	t := gp.rouse
	c := t.c
	t.mode = rouseWaiting
	c.left = rouseParked
	c.next = c.root
	rouseSwitch_m(gp)
}

// wakeFileLocks lets the tasks look again that wait for the lock of a file.
//
//go:nosplit
func (c *RouseGroup) wakeFileLocks() {
	for _, t := range c.tasks {
		if t.fileLock {
			t.fileLock = false
			t.mode = rouseRunnable
			c.record(rouseEvent{task: t.id, by: c.running.id})
		}
	}
	c.fileLocks = 0
}

// awaitFileLocks waits, on the root, for the locks of files that other processes have.
func (c *RouseGroup) awaitFileLocks() {
	for waited := 0; c.fileLocks > 0 && c.arrived.Load() == 0 && waited < mostFileLock; waited += fileLockEvery {
		c.await(fileLockEvery)
		for _, t := range c.tasks {
			if !t.fileLock || !rouseTakes(t.takes[0], t.takes[1], t.takes[2], t.takes[3]) {
				continue
			}
			t.fileLock = false
			c.fileLocks--
			lock(&c.lock)
			c.arrive(t)
			unlock(&c.lock)
		}
	}
}

//go:linkname rouseTakes syscall.rouseTakes
func rouseTakes(trap, a1, a2, a3 uintptr) bool

// rouseSystemDelay is a point of a goroutine that runs in parallel with others. It reports false where it may
// not delay that.
//
//go:nosplit
func rouseSystemDelay(gp *g) bool {
	mp := gp.m
	if gp != mp.curg || mp.locks|mp.mallocing != 0 || mp.preemptoff != "" {
		return false
	}
	x := gp.rouseStream.draw()
	switch more := x >> 32; {
	case x%rouseYields == 0:
		gp.parkingOnChan.Store(true) // its stack must not shrink
		mcall(gosched_m)
		gp.parkingOnChan.Store(false)
	case x%rouseSpins == 1:
		procyield(uint32(10 * (more % rouseSpinsMost)))
	case x%rouseSleeps == 2 && gomaxprocs > 1: // others run meanwhile
		usleep(1 + uint32(more&(1<<(x>>8%(rouseSleepBits+1))-1))/1000)
	}
	return true
}
