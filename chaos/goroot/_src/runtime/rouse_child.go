package runtime

import (
	"internal/abi"
	"internal/stringslite"
	_ "unsafe" // linkname
)

// rouseChild counts child processes of the execution that have been started and not been waited for.
//
//go:linkname rouseChild os.rouseChild
func rouseChild(d int) {
	if t := getg().rouse; t != nil && t != &t.c.self {
		t.c.children = max(0, t.c.children+d)
		t.c.parent = true
		if d < 0 {
			rouseSettleSignals()
		}
	}
}

// Children returns how many child processes of the execution have not been waited for.
// The timer for SIGALRM counts as one.
func (c *RouseGroup) Children() int {
	if c.alarmed() {
		return c.children + 1
	}
	return c.children
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
//     os/exec that copy what the process writes wait before each read: how much there is would be a matter of time.
//  2. It keeps the turn until the process has ended, but for a second at most, and not after a function of
//     time.AfterFunc is due, such as the end of a context. If what comes from outside lets another task continue
//     meanwhile, or the process waits because a pipe is full, and so one of those goroutines reads, it begins again
//     with step 1.
//  3. Those goroutines continue, and the task waits in the network poller if the process has not ended.
//
// So what tasks do depends on the time that the process takes only where they wait for it otherwise, or it takes
// a second.

// What a task waits for, in rouseTask.rests.
const (
	rouseRestsOthers = 1 + iota // that no other task can continue: step 1
	rouseRestsCopies            // step 3
)

// rouseChildBegin is step 1.
//
//go:linkname rouseChildBegin os.rouseChildBegin
func rouseChildBegin() {
	t := getg().rouse
	t.c.awaiting++
	rouseRest(t, rouseRestsOthers)
}

// rouseChildLived is called in step 2, when the process has had so much time. It reports whether to go on with that.
//
//go:linkname rouseChildLived os.rouseChildLived
func rouseChildLived(ns int64) bool {
	t := getg().rouse
	c := t.c
	c.lived += ns
	if c.livedLeft((*timer).rouseCalls) <= 0 {
		return false
	}
	copies := false
	for _, t := range c.tasks {
		if t.reads != 0 && t.full() {
			t.continues()
			copies = true
		}
	}
	if c.fetch(); copies || c.comes() {
		rouseRest(t, rouseRestsOthers)
	}
	return true
}

// rouseChildEnd is step 3.
//
//go:linkname rouseChildEnd os.rouseChildEnd
func rouseChildEnd() {
	c := getg().rouse.c
	if c.awaiting--; c.awaiting > 0 {
		return
	}
	for _, t := range c.tasks {
		t.continues()
	}
	c.fetch()
}

// continues lets a task continue that waits for step 3.
func (t *rouseTask) continues() {
	if t.rests != rouseRestsCopies {
		return
	}
	c := t.c
	t.rests = 0
	t.mode = rouseRunnable
	n := len(c.events)
	c.events = c.events[:n+1]
	c.events[n] = rouseEvent{task: t.id, by: c.running.id}
	c.news = true
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
	t.g.parkingOnChan.Store(true) // its stack must not shrink
	mcall(rouseRest_m)
	t.g.parkingOnChan.Store(false)
}

func rouseRest_m(gp *g) {
	t := gp.rouse
	c := t.c
	t.mode = rouseWaiting
	c.left, c.reason, c.external = rouseParked, rouseProcess, true
	c.next = c.root
	rouseSwitch_m(gp)
}

// rouseProcess is the reason of a task that waits for a child process.
const rouseProcess = "child process"

// wakeResting wakes, on the root, the tasks whose step 1 is done.
func (c *RouseGroup) wakeResting() {
	if c.awaiting == 0 {
		return
	}
	for _, t := range c.tasks {
		if t.rests == rouseRestsOthers {
			t.rests = 0
			lock(&c.lock)
			c.arrive(t)
			unlock(&c.lock)
		}
	}
}
