package control

import (
	"runtime"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/self"
)

// A host is a goroutine that runs tasks, one after the other; or, running none, the
// root: the goroutine that called Run. Exactly one host runs; all others
// are inside mechanism.hand.
type host struct {
	engine      *engine
	g           uintptr // its goroutine, once that runs
	task        *task   // that it runs or ran; what it is to run when it gets control
	stackWanted bool    // to report where its task stands
	dying       bool    // to end when it gets control

	slot *coroutine    // coroutines: where it is parked
	turn chan struct{} // channels: control arrives here
}

// A mechanism switches between goroutines. With coroutines a host serves many tasks
// (engine.pooled); with channels a task is run by the goroutine that the go statement
// starts.
type mechanism interface {
	// start gives h a goroutine that runs h.serve when it first gets control.
	start(h *host)
	// swap gives control from the caller's host to another, and returns when it
	// comes back.
	swap(from, to *host)
	// release gives control away for good.
	release(to *host)
	// await returns when h has control for the first time.
	await(h *host)
	// stop ends the goroutines of the hosts. It is called by nobody's host.
	stop(hosts []*host)
}

// givePooledHost gives the task a host.
//
//go:norace
func (e *engine) givePooledHost(t *task) {
	var h *host
	if n := len(e.idle); n > 0 {
		h = e.idle[n-1]
		e.idle = e.idle[:n-1]
	} else {
		h = &host{engine: e}
		e.hosts = append(e.hosts, h)
		e.starts.expected++
		e.mechanism.start(h)
	}
	h.task = t
	t.host = h
}

// giveOwnHost gives the task a host that is not pooled. The goroutine is still to be
// started.
//
//go:norace
func (e *engine) giveOwnHost(t *task) {
	h := &host{engine: e, task: t}
	e.mechanism.start(h)
	t.host = h
}

// serve is a pooled host's goroutine. It runs when it first gets control.
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

// serveAfterGoexit is where a task ends up that called runtime.Goexit. The goroutine
// cannot be saved, but as long as its deferred call does not return it can serve.
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

// serveOne is the goroutine of a host that is not pooled.
//
//go:norace
func (h *host) serveOne() {
	h.engine.mechanism.await(h)
	if h.dying {
		return
	}
	h.g = self.G()
	defer h.leave()
	h.takeTurn()
	h.run()
}

// leave gives control to whom the strategy chooses, once the host's task is over.
//
//go:norace
func (h *host) leave() {
	e := h.engine
	h.task = nil
	var next *task
	if !e.abandoning {
		next = e.choose()
	}
	to := e.root
	if next != nil {
		to = next.host
	}
	e.setCurrent(next)
	e.mechanism.release(to)
}

// control says that this host has it.
//
//go:norace
func (h *host) takeTurn() { h.engine.control.SetRunning(h.g) }

// run runs the host's task to its end.
//
//go:norace
func (h *host) run() {
	t, e := h.task, h.engine
	defer e.ended(t)
	e.control.Passed = nil
	e.did0(t, strategy.Begin)
	t.body()
	t.returned = true
}

// ended is the end of a task: it has returned, or panics, or leaves by Goexit.
//
//go:norace
func (e *engine) ended(t *task) {
	if !t.returned {
		if v := recover(); v == nil {
			e.goexited(t)
		} else if !e.abandoning || !isUnwinding(v) {
			e.panicked(t, v)
		}
	}
	e.control.SetRunning(nobody)
	t.ended = true
	t.body = nil
	e.alive--
	e.disable(t)
	if !e.abandoning {
		if e.weak != nil {
			e.weak.model.ended(t)
		}
		e.did0(t, strategy.End)
	}
	e.meeting.Add(1) // an edge to the root, for the race detector
}

// next gives control to whom the strategy chooses, once the host's task is over,
// and returns when it comes back with another task.
//
//go:norace
func (h *host) next() {
	e := h.engine
	h.task = nil
	var next *task
	if !e.abandoning {
		next = e.choose()
	}
	if next != nil && next.host == nil {
		h.task, next.host = next, h // it has not begun: no switch is needed
		e.setCurrent(next)
		return
	}
	e.idle = append(e.idle, h)
	e.hand(h, next)
}

// nobody is the goroutine that runs while no task does.
const nobody = ^uintptr(0)

// report writes down where the host's task stands, and goes back to the root.
//
//go:norace
func (e *engine) report(h *host) {
	var pcs [64]uintptr
	n := runtime.Callers(3, pcs[:])
	h.task.stack = pcs[:n:n]
	e.meeting.Add(1)
	e.setCurrent(nil)
	e.mechanism.swap(h, e.root)
}
