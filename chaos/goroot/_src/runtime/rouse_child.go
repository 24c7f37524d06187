package runtime

import (
	"internal/abi"
	"internal/stringslite"
	_ "unsafe" // linkname
)

// A rouseProcess is a child process of the execution that has been started and not been waited for.
type rouseProcess struct {
	pid int
	fed bool // it reads a pipe
}

// rouseStarted is called when a task has started a child process.
//
//go:linkname rouseStarted os.rouseStarted
func rouseStarted(pid int, fed bool) {
	if t := getg().rouse; t != nil && t != &t.c.self {
		t.c.children = append(t.c.children, rouseProcess{pid, fed})
		t.c.parent = true
		t.child = pid
	}
}

// rouseWaited is called when a task has waited for a child process.
//
//go:linkname rouseWaited os.rouseWaited
func rouseWaited(pid int) {
	if t := getg().rouse; t != nil && t != &t.c.self {
		t.c.ended(pid)
		rouseSettleSignals()
	}
}

// ended notes that nothing more is expected of a child process.
func (c *RouseGroup) ended(pid int) {
	for i, p := range c.children {
		if p.pid == pid {
			c.children = append(c.children[:i], c.children[i+1:]...)
			return
		}
	}
}

// Children returns how many child processes of the execution have not been waited for.
// The timer for SIGALRM counts as one.
func (c *RouseGroup) Children() int {
	n := len(c.children)
	if c.alarmed() {
		n++
	}
	return n
}

// Lived adds to the real time that child processes have had, and returns how much more they may have until a timer
// would have fired: what others had before it was armed does not count for it, nor what they had before another fired.
func (c *RouseGroup) Lived(ns int64) (left int64) {
	c.lived += ns
	return c.livedLeft(func(*timer) bool { return true })
}

func (c *RouseGroup) livedLeft(counts func(*timer) bool) (left int64) {
	left = maxWhen
	rouseSweep(c.bubble)
	systemstack(func() {
		ts := &c.bubble.timers
		ts.lock()
		for _, w := range ts.heap {
			if counts(w.timer) {
				left = min(left, w.when-c.bubble.now-c.lived+max(w.timer.rouseLived, c.livedUntil))
			}
		}
		ts.unlock()
	})
	return left
}

// A task that waits for a child process, which runs in real time, does so in these steps:
//
//  1. It waits until no other task can continue: one may have to write what the process reads. The goroutines of
//     os/exec that copy what a process writes wait before each read: how much there is would be a matter of time.
//     They do so until the process has ended, or nobody waits for one and no other task can continue.
//  2. It keeps the turn until the process has ended, but for a second at most. A function of time.AfterFunc that is due,
//     such as the end of a context, is called first, and after 0.3 s so is any timer fired that is due: it may be the one
//     after which the process is to be killed. If what comes from outside lets another task continue meanwhile, or
//     the process waits because a pipe is full, and so one of those goroutines reads, it begins again with step 1.
//     After 0.3 s those of other processes read, too, since the process may wait for one of them.
//  3. Those goroutines continue, and the task waits in the network poller if the process has not ended.
//
// So what tasks do depends on the time that the process takes only where they wait for it otherwise, or it takes
// so long. But then no process would end before the other tasks wait. So one time in four the task begins with step
// 2, if the process reads no pipe, which others may have to write: for a process that ends by itself it is as if that
// had taken no time, and then the task continues when the engine chooses it. If it has not ended after 0.3 s, it may
// wait for others all the same, and step 1 is next.

// What a task waits for, in rouseTask.rests.
const (
	rouseRestsOthers = 1 + iota // that no other task can continue: step 1
	rouseRestsTimer             // likewise, after what is due has been called: step 2
	rouseRestsCopies            // step 3
)

const (
	rouseTurn = 1e9 // for how long a task keeps the turn in step 2, in nanoseconds
	rouseSoon = 3e8 // the 0.3 s
)

// rouseChildBegin is step 1, or what is done instead.
//
//go:linkname rouseChildBegin os.rouseChildBegin
func rouseChildBegin(pid int) {
	t := getg().rouse
	c := t.c
	c.awaiting++
	t.waits = 0
	if t.eager = c.mayBegin(t, pid) && rousePick(4) == 3; !t.eager {
		rouseRest(t, rouseRestsOthers)
	}
}

// mayBegin reports whether t may begin with step 2, and that makes a difference: another task can continue.
func (c *RouseGroup) mayBegin(t *rouseTask, pid int) bool {
	for _, p := range c.children {
		if p.pid == pid && p.fed {
			return false
		}
	}
	for _, o := range c.tasks {
		if o != t && o.mode == rouseRunnable {
			return true
		}
	}
	return false
}

// rouseChildLived is called in step 2, when a process has had so much time more. It reports whether to go on with that.
//
//go:linkname rouseChildLived os.rouseChildLived
func rouseChildLived(pid int, ns int64) bool {
	t := getg().rouse
	c := t.c
	c.lived += ns
	if t.waits += ns; t.waits >= rouseTurn {
		return false
	}
	if t.due() {
		t.eager = false
		rouseRest(t, rouseRestsTimer)
		return true
	}
	reads := false
	for _, o := range c.tasks {
		// The process may wait for another one.
		if o.reads != 0 && (o.child == pid || t.waits >= rouseSoon) && o.full() {
			o.continues()
			reads = true
		}
	}
	if c.fetch(); reads || c.comes() || t.eager && t.waits >= rouseSoon {
		t.eager = false
		rouseRest(t, rouseRestsOthers)
	}
	return true
}

// rouseChildEnd is step 3.
//
//go:linkname rouseChildEnd os.rouseChildEnd
func rouseChildEnd(pid int) {
	c := getg().rouse.c
	c.awaiting--
	for _, t := range c.tasks {
		if t.child == pid {
			t.child = 0 // it does not wait any more
			t.continues()
		}
	}
	c.fetch()
}

// continues lets a task continue that waits for step 3.
func (t *rouseTask) continues() {
	if t.rests != rouseRestsCopies {
		return
	}
	t.rests = 0
	t.mode = rouseRunnable
	t.c.record(rouseEvent{task: t.id, by: t.c.running.id})
}

// full reports whether the pipe is full that a task is about to read, and was when one looked last.
func (t *rouseTask) full() bool {
	if t.g == nil {
		return false
	}
	n, full := rousePiped(t.reads)
	was := t.piped
	t.piped = n
	return full && n == was
}

// rousePiped returns how much there is in a pipe, and whether there is no room for more.
//
//go:linkname rousePiped syscall.rousePiped
func rousePiped(fd uintptr) (n uintptr, full bool)

// due reports whether there is a timer that fires before the process has more time.
func (t *rouseTask) due() bool {
	return t.c.livedLeft(func(w *timer) bool { return t.waits >= rouseSoon || w.rouseCalls() }) <= 0
}

// rouseCalls reports whether a timer calls a function, once.
func (t *timer) rouseCalls() bool {
	return !t.isChan && t.period == 0 && efaceOf(&t.arg)._type.Kind() == abi.Func
}

// copies reports whether a task is one of those that os/exec copies with.
func (t *rouseTask) copies() bool {
	return stringslite.HasPrefix(funcname(findfunc(t.g.startpc)), "os/exec.")
}

// comes reports whether something from outside has woken a task but for those that copy what a process writes.
func (c *RouseGroup) comes() (comes bool) {
	lock(&c.lock)
	for _, id := range c.arrivals {
		comes = comes || c.tasks[id].reads == 0
	}
	unlock(&c.lock)
	return comes
}

// rouseRest makes the current task wait.
func rouseRest(t *rouseTask, until uint8) {
	if !rouseCan(t.g, t) || t == &t.c.self {
		return
	}
	t.rests = until
	rouseParks(t, rouseChildProcess, true)
}

// rouseChildProcess is the reason of a task that waits for a child process.
const rouseChildProcess = "child process"

// wakeResting wakes the tasks that wait until no other can continue.
func (c *RouseGroup) wakeResting() {
	if !c.parent && c.awaiting == 0 {
		return
	}
	for _, t := range c.tasks {
		wake := false
		switch t.rests {
		case rouseRestsOthers:
			wake = true
		case rouseRestsTimer:
			wake = !t.due()
		case rouseRestsCopies:
			wake = c.awaiting == 0
		}
		if wake {
			t.rests = 0
			lock(&c.lock)
			c.arrive(t)
			unlock(&c.lock)
		}
	}
}
