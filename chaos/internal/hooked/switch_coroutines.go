package hooked

import "iter"

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
