package hooked

import (
	"iter"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/internal/racing"
)

// These functions give control from one goroutine to another, and return when it comes back.
// A processor predicts where a function returns to by where it was called, and mispredicts
// every frame of a stack that it has been switched to. So turn does all that a step needs in
// one frame.

// turn gives control from t to next, or to the root if next is nil.
//
//go:norace
func (e *Tasks) turn(t, next *core.Task) {
	from, to := of(t).host, e.hostOf(next)
	t.Point = e.Control.Passed
	e.SetCurrent(next)
	if e.pooled { // as coroutines.swap does it while no goroutine ends
		c := to.slot
		from.slot, to.slot = c, nil
		if c.yields {
			c.yields = false
			c.yield(struct{}{})
		} else {
			c.yields = true
			c.next()
		}
	} else {
		e.mechanism.swap(from, to)
	}
	// The host that gave control back has set the current task.
	if e.Stopping {
		e.resumeStopped(t)
	}
	if e.Stop.Task == t {
		e.StopHere()
	}
	e.Control.Passed = t.Point
	e.Control.SetRunning(from.g)
}

// switchTo gives control from a host without a task, or the root.
//
//go:norace
func (e *Tasks) switchTo(from *host, next *core.Task) {
	to := e.hostOf(next)
	e.SetCurrent(next)
	e.mechanism.swap(from, to)
	e.Control.SetRunning(from.g)
}

// hostOf returns the host of next, and gives it one if it has none; nil is the root.
//
//go:norace
func (e *Tasks) hostOf(next *core.Task) *host {
	if next == nil {
		return e.root
	}
	if of(next).host == nil {
		e.givePooledHost(next)
	}
	return of(next).host
}

// resumeStopped is called when a task gets control back after the execution is over: it records
// its stack, as often as that is wanted, and unwinds.
//
//go:norace
func (e *Tasks) resumeStopped(t *core.Task) {
	for of(t).host.stackWanted {
		of(t).host.stackWanted = false
		e.recordStack(of(t).host)
	}
	if e.Abandoning {
		e.Control.Passed = t.Point
		e.Control.SetRunning(of(t).host.g)
		e.unwind(t)
	}
}

// channels switches by a channel for each goroutine: four times the cost of coroutines, but
// each goroutine is an ordinary one, which may be locked to its thread, and whose parking can
// be hidden from the race detector.
type channels struct{}

//go:norace
func (channels) start(h *host) { h.turn = make(chan struct{}, 1) }

//go:norace
func (channels) swap(from, to *host) {
	racing.Hide()
	to.turn <- struct{}{}
	<-from.turn
	racing.Show()
}

//go:norace
func (channels) release(to *host) {
	racing.Hide()
	to.turn <- struct{}{}
	racing.Show()
}

//go:norace
func (channels) await(h *host) {
	racing.Hide()
	<-h.turn
	racing.Show()
}

//go:norace
func (channels) stop([]*host) {}

// coroutines switches by the runtime's coroutines, which the public API reaches through
// iter.Pull: 40 ns a switch, on one thread, without the scheduler.
//
// A coroutine of iter.Pull is a place in which one goroutine is parked. Both next and yield
// swap the caller with it, whichever goroutines the two are; they only have to be called in
// turn. So a goroutine gives control to any other by swapping with the place where that one
// is parked.
type coroutines struct {
	// home gets control from each goroutine that an ending one lets continue; nil except in stop.
	home *host
}

// A coroutine is a place, with the goroutine that was made for it.
type coroutine struct {
	next   func() (struct{}, bool)
	yield  func(struct{}) bool
	yields bool // yield is the next to be called
}

//go:norace
func (m *coroutines) start(h *host) {
	c := new(coroutine)
	c.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		h.serve()
	})
	h.slot = c
}

//go:norace
func (m *coroutines) swap(from, to *host) {
	if m.home != nil && m.home != from {
		to = m.home
	}
	for {
		c := to.slot
		from.slot, to.slot = c, nil
		if c.yields {
			c.yields = false
			c.yield(struct{}{})
		} else {
			c.yields = true
			c.next()
		}
		if m.home == nil || m.home == from || from.dying {
			return
		}
		// The place was that of a goroutine that has ended.
		to = m.home
	}
}

func (*coroutines) release(*host) { panic("control: a pooled host passes control") }

func (*coroutines) await(*host) { panic("control: a pooled host waits for control") }

// stop ends the hosts one by one. A goroutine that ends lets the one continue that is parked
// in its own place. If it ends by Goexit (host.serveAfterGoexit), that one meets a Goexit, too,
// which another host survives as it did its own, and this goroutine by not being needed.
func (m *coroutines) stop(hosts []*host) {
	done := make(chan struct{})
	go m.stopAll(&hosts, &host{}, done)
	<-done
}

func (m *coroutines) stopAll(hosts *[]*host, home *host, done chan struct{}) {
	defer func() {
		if len(*hosts) == 0 {
			m.home = nil
			close(done)
			return
		}
		m.stopAll(hosts, home, done) // Goexit: continue in the deferred call
	}()
	m.home = home
	for len(*hosts) > 0 {
		h := (*hosts)[len(*hosts)-1]
		*hosts = (*hosts)[:len(*hosts)-1]
		h.dying = true
		m.swap(home, h)
	}
}
