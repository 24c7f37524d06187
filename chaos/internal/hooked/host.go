package hooked

import (
	"runtime"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/self"
)

// A host is a goroutine that runs tasks, one after the other, or the root: the goroutine that
// called Run. Exactly one host runs; all others are inside mechanism.swap.
type host struct {
	tasks       *Tasks
	g           uintptr    // its goroutine, once that runs
	task        *core.Task // the task that it runs or ran, or is to run when it gets control
	stackWanted bool       // to record the stack of its task when it gets control
	dying       bool       // to end when it gets control

	slot *coroutine    // coroutines: where it is parked
	turn chan struct{} // channels: control arrives here
}

// A mechanism switches between goroutines. With coroutines a host serves many tasks
// (Tasks.pooled); with channels a task runs on the goroutine that its go statement starts.
type mechanism interface {
	// start gives h a goroutine that runs h.serve when it first gets control.
	start(h *host)
	// swap gives control from the caller's host to another, and returns when it comes back.
	swap(from, to *host)
	// release gives control away for good.
	release(to *host)
	// await returns when h has control for the first time.
	await(h *host)
	// stop ends the goroutines of the hosts. No host calls it.
	stop(hosts []*host)
}

// noGoroutine is the goroutine that runs while no task does.
const noGoroutine = ^uintptr(0)

//go:norace
func (e *Tasks) givePooledHost(t *core.Task) {
	var h *host
	if n := len(e.idle); n > 0 {
		h = e.idle[n-1]
		e.idle = e.idle[:n-1]
	} else {
		h = &host{tasks: e}
		e.hosts = append(e.hosts, h)
		e.starts.expected++
		e.mechanism.start(h)
	}
	h.task, of(t).host = t, h
}

// giveOwnHost gives the task a host that is not pooled. Its goroutine is still to be started.
//
//go:norace
func (e *Tasks) giveOwnHost(t *core.Task) {
	h := &host{tasks: e, task: t}
	e.mechanism.start(h)
	of(t).host = h
}

//go:norace
func (e *Tasks) startOwnHost(t *core.Task) {
	e.giveOwnHost(t)
	e.starts.expected++
	go of(t).host.serveOne()
}

// spawn makes a task that parent starts, and its goroutine if it needs one.
//
//go:norace
func (e *Tasks) spawn(parent *core.Task, f func()) {
	t := e.Child(parent, f)
	if !e.pooled {
		e.startOwnHost(t)
	}
}

// serve runs on a pooled host's goroutine, from when the host first gets control.
//
//go:norace
func (h *host) serve() {
	defer h.serveAfterGoexit()
	h.g = self.G()
	for !h.dying {
		h.takeTurn()
		h.run()
		h.next()
	}
}

// serveAfterGoexit goes on serving when a task has called runtime.Goexit. The goroutine cannot be
// saved, but it can serve as long as its deferred call does not return.
//
//go:norace
func (h *host) serveAfterGoexit() {
	if h.dying {
		return
	}
	defer h.serveAfterGoexit()
	for {
		h.next()
		if h.dying {
			return
		}
		h.takeTurn()
		h.run()
	}
}

// serveOne runs on the goroutine of a host that is not pooled.
//
//go:norace
func (h *host) serveOne() {
	h.tasks.mechanism.await(h)
	if h.dying {
		return
	}
	h.g = self.G()
	defer h.leave()
	h.takeTurn()
	h.run()
}

//go:norace
func (h *host) takeTurn() { h.tasks.Control.SetRunning(h.g) }

// run runs the host's task to its end.
//
//go:norace
func (h *host) run() {
	t, e := h.task, h.tasks
	defer e.ended(t)
	e.Control.Passed = nil
	e.DidAlone(t, strategy.Begin)
	if e.Stop.Task == t {
		e.StopHere()
	}
	t.Body()
	t.Returned = true
}

// ended ends a task, which has returned, or panics, or leaves by Goexit. A Goexit of the first
// task ends the execution, as t.FailNow does.
//
//go:norace
func (e *Tasks) ended(t *core.Task) {
	if !t.Returned {
		if v := recover(); v == nil {
			e.Stopping = e.Stopping || t.Starter == nil
		} else if !e.Abandoning || !isUnwinding(v) {
			e.FailByPanic(t, v)
		}
	}
	e.Control.SetRunning(noGoroutine)
	t.Ended = true
	t.Body = nil
	e.Alive--
	e.Disable(t)
	if !e.Abandoning {
		if e.weak != nil {
			e.weak.model.Ended(t)
		}
		e.DidAlone(t, strategy.End)
	}
	e.Edges.Add(1)
}

// nextTask returns the task that continues once the host's own is over; nil is the root.
//
//go:norace
func (h *host) nextTask() *core.Task {
	h.task = nil
	if h.tasks.Abandoning {
		return nil
	}
	return h.tasks.Choose()
}

// next gives control away once the host's task is over, and returns when it comes back with
// another task.
//
//go:norace
func (h *host) next() {
	e, next := h.tasks, h.nextTask()
	if next != nil && of(next).host == nil {
		h.task, of(next).host = next, h // it has not begun: no switch is needed
		e.SetCurrent(next)
		return
	}
	e.idle = append(e.idle, h)
	e.switchTo(h, next)
}

// leave gives control away for good once the host's task is over.
//
//go:norace
func (h *host) leave() {
	e, next, to := h.tasks, h.nextTask(), h.tasks.root
	if next != nil {
		to = of(next).host
	}
	e.SetCurrent(next)
	e.mechanism.release(to)
}

// recordStack records the stack of the host's task, and goes back to the root.
//
//go:norace
func (e *Tasks) recordStack(h *host) {
	var pcs [64]uintptr
	n := runtime.Callers(3, pcs[:])
	h.task.Stack = pcs[:n:n]
	e.Edges.Add(1)
	e.SetCurrent(nil)
	e.mechanism.swap(h, e.root)
}
