package runtime

import (
	"internal/runtime/atomic"
	_ "unsafe" // linkname
)

// The network poller tells at some time or other that a descriptor can be read or written. For tasks it does so
// when one of them has made a system call, so that what a task does to a pipe or a connection wakes at once the
// task that waits for it. The monitor does not poll meanwhile: see rousePolls.

// rouseWaitsFor is called before a task waits until it can read ('r') or write ('w') a descriptor. What the poller
// has found until now may be old, and would wake the task for nothing.
func rouseWaitsFor(pd *pollDesc, mode int) {
	t := getg().rouse
	if t == nil || t == &t.c.self {
		return
	}
	t.c.fetch()
	found := &pd.rg
	if mode == 'w' {
		found = &pd.wg
	}
	if found.CompareAndSwap(pdReady, pdNil) && rouseTransfers(pd.fd, mode == 'w') {
		found.CompareAndSwap(pdNil, pdReady)
	}
}

// rouseTransfers reports whether a descriptor can be read, or written, at once.
//
//go:linkname rouseTransfers syscall.rouseTransfers
func rouseTransfers(fd uintptr, write bool) bool

// fetchForTasks is called when a task has made a system call.
func (c *RouseGroup) fetchForTasks() {
	if !c.externals {
		return
	}
	for _, t := range c.tasks {
		if t.mode == rouseExternal {
			c.fetch()
			return
		}
	}
	c.externals = false
}

// rousePollings counts how often a thread has polled the network until something came.
var rousePollings atomic.Uint64

// rousePolledNetwork is called when a thread has polled.
func rousePolledNetwork() { rousePollings.Add(1) }

// rouseAwaitPoller waits until no thread polls, or one has begun anew, so that what it had found has arrived.
func rouseAwaitPoller() {
	n := rousePollings.Load()
	for sched.lastpoll.Load() == 0 && rousePollings.Load() == n {
		netpollBreak()
		usleep(5)
	}
}

// RousePoller returns the files of the poller, and makes them first: timers do anyway.
func RousePoller() (poll, wake int) {
	netpollGenericInit()
	return int(epfd), int(netpollEventFd)
}
