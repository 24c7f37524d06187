package runtime

import (
	"internal/rouse"
	"unsafe"
)

// rousePoint is called before an operation that others could see.
func rousePoint(op uint8, obj uintptr) {
	rouseAwait(op, obj, nil, 0)
}

// rouseAwait does all that a point needs in one frame: a processor mispredicts where a function returns
// to on another stack.
//
//go:linkname rouseAwait internal/rouse.Await
//go:yeswritebarrierrec
func rouseAwait(op uint8, obj uintptr, word *int32, busy int32) {
	gp := getg()
	t := gp.rouse
	if t == nil {
		if rouseNative.on.Load() {
			rouseDelay(gp)
		}
		return
	}
	if !rouseCan(gp, t) || rouseOnStack(gp, obj) {
		if t.aside != 0 && t.aside == t.quiet {
			rouseNoteAside(op, obj)
		}
		return
	}
	c := t.c
	var was uintptr
	if raceenabled { // c.enter, without a call
		rouseForgetStack(gp)
		was = gp.racectx
		gp.racectx = c.racectx
	}
	rousePoints++
	c.hook = true
	c.looksAtPoint = c.looks
	if c.news || c.arrived.Load() != 0 {
		c.deliver()
	}
	next := c.s.Point(op, unsafe.Pointer(obj), word, busy)
	c.hook = false
	if raceenabled {
		gp.racectx = was
		rouseForgetStack(gp)
	}
	if next != t.id { // c.switchTo, without a call
		t.mode = rouseRunnable
		c.take(next)
		mcall(rouseSwitch_m)
		if c.stop == t.id+1 {
			rouseStop(c)
		}
	}
}

// rouseFailed may be called with locks held.
//
//go:linkname rouseFailed internal/rouse.Failed
func rouseFailed() {
	if t := getg().rouse; t != nil && t.sys|t.quiet == 0 && !t.c.hook && !t.c.done {
		t.c.failed, t.c.news = true, true
	}
}

//go:linkname rouseAfterOutside internal/rouse.After
func rouseAfterOutside(op uint8, obj uintptr) { rouseAfter(op, obj) }

// rouseAfter is called after an operation that others can see.
func rouseAfter(op uint8, obj uintptr) {
	gp := getg()
	t := gp.rouse
	if t == nil {
		if rouseNative.on.Load() {
			rouseDelay(gp)
		}
		return
	}
	if !t.c.after || !rouseCan(gp, t) || rouseOnStack(gp, obj) {
		return
	}
	c := t.c
	was := c.enter(gp)
	next := c.s.After()
	c.leave(gp, was)
	if next != t.id {
		c.switchTo(t, next)
	}
}

// rouseCan reports whether the engine may be called here.
//
//go:nosplit
func rouseCan(gp *g, t *rouseTask) bool {
	mp := gp.m
	return t.sys|t.quiet == 0 && mp.locks|mp.mallocing == 0 && mp.preemptoff == "" && !t.c.hook && !t.c.done
}

// rouseOnStack reports whether the object is on the stack of gp, so that nobody else sees it.
func rouseOnStack(gp *g, obj uintptr) bool { return obj-gp.stack.lo < gp.stack.hi-gp.stack.lo }

// rouseCommunicate is the operation of a send or receive: one that does not block is a select with a
// default.
func rouseCommunicate(op uint8, block bool) uint8 {
	if !block {
		return rouse.Select
	}
	return op
}

// rouseTried returns ok, whether a poll of a channel got anything, and reports it if it did not.
func rouseTried(ch *hchan, sends, ok bool) bool {
	if t := getg().rouse; t != nil {
		t.selected = rouseSelection{}
		if ok {
			t.selected = rouseSelection{channel: uintptr(unsafe.Pointer(ch)), sends: sends}
		}
	}
	if !ok {
		rouseFailed()
	}
	return ok
}

// rouseSelected notes which case a select takes. The compiler puts the cases that send first, in their order, and then
// those that receive, the last one first.
func rouseSelected(cases []scase, nsends, i int) {
	t := getg().rouse
	if t == nil || i < 0 {
		return
	}
	t.selected = rouseSelection{uintptr(unsafe.Pointer(cases[i].c)), i < nsends, i}
	if i >= nsends {
		t.selected.nth = len(cases) - 1 - i
	}
}

// Selected returns which case the last select of a task has taken.
func (c *RouseGroup) Selected(task int32) (channel uintptr, sends bool, nth int) {
	s := c.tasks[task].selected
	return s.channel, s.sends, s.nth
}

// rouseSelect is called before a select.
func rouseSelect(cases []scase, nsends int, block bool) {
	gp := getg()
	t := gp.rouse
	if t == nil && rouseNative.on.Load() {
		rouseDelay(gp)
	}
	if t == nil || !rouseCan(gp, t) {
		return
	}
	c := t.c
	was := c.enter(gp)
	c.channels = c.channels[:0]
	sends := 0
	for i := range cases {
		if ch := cases[i].c; ch != nil {
			c.channels = append(c.channels, unsafe.Pointer(ch))
			if i < nsends {
				sends++
			}
		}
	}
	next := c.s.Select(c.channels, sends, !block)
	t.selected = rouseSelection{} // the engine has asked for that of a select that had waited
	c.leave(gp, was)
	if next != t.id {
		c.switchTo(t, next)
	}
}

// enter prepares a call of the engine on gp, and reports to it what has happened. For the race
// detector, what the engine does is done by the root: no edge between tasks comes from it.
func (c *RouseGroup) enter(gp *g) (was uintptr) {
	if raceenabled {
		rouseForgetStack(gp)
		was = gp.racectx
		gp.racectx = c.racectx
	}
	rousePoints++
	c.hook = true
	c.looksAtPoint = c.looks
	if c.news || c.arrived.Load() != 0 {
		c.deliver()
	}
	return was
}

func (c *RouseGroup) leave(gp *g, was uintptr) {
	c.hook = false
	if raceenabled {
		gp.racectx = was
		rouseForgetStack(gp)
	}
}

// deliver reports events to the engine, first those that tasks have caused.
func (c *RouseGroup) deliver() {
	if c.news {
		c.deliverInside()
	}
	if c.called {
		c.called, c.news = false, false
		c.fetchForTasks()
	}
	for c.arrived.Load() != 0 {
		lock(&c.lock)
		n := len(c.arrivals) - 1
		task := c.arrivals[0]
		copy(c.arrivals, c.arrivals[1:])
		c.arrivals = c.arrivals[:n]
		c.arrived.Store(int32(n))
		unlock(&c.lock)
		c.s.Woken(task, rouseStranger)
	}
}

// deliverInside reports what tasks have caused.
func (c *RouseGroup) deliverInside() {
	c.news = c.called
	if c.failed {
		c.failed = false
		c.s.Failed()
	}
	for i := range c.events {
		if e := &c.events[i]; e.started {
			c.s.Started(e.by, e.pc)
		} else {
			c.s.Woken(e.task, e.by)
		}
	}
	c.events = c.events[:0]
}

// rousePick returns one of n alternatives.
func rousePick(n int) int {
	gp := getg()
	t := gp.rouse
	if t == nil || !rouseCan(gp, t) {
		return 0
	}
	c := t.c
	was := c.enter(gp)
	i := c.s.Pick(n)
	c.leave(gp, was)
	return i
}

// rouseOrder puts a case that is ready, as picked, first in the poll order.
func rouseOrder(scases []scase, pollorder []uint16, nsends int) {
	n := 0
	for _, o := range pollorder {
		if rouseCaseReady(&scases[o], int(o) < nsends) {
			n++
		}
	}
	if n < 2 {
		return
	}
	k := rousePick(n)
	for i, o := range pollorder {
		if !rouseCaseReady(&scases[o], int(o) < nsends) {
			continue
		}
		if k == 0 {
			copy(pollorder[1:i+1], pollorder[:i])
			pollorder[0] = o
			return
		}
		k--
	}
}

func rouseCaseReady(cas *scase, send bool) bool {
	c := cas.c
	if c.closed != 0 {
		return true
	}
	if send {
		return c.recvq.first != nil || c.qcount < c.dataqsiz
	}
	return c.sendq.first != nil || c.qcount > 0
}

// rouseGosched reports whether Gosched was a point.
//
//go:yeswritebarrierrec
func rouseGosched() bool {
	gp := getg()
	t := gp.rouse
	if t == nil || !rouseCan(gp, t) {
		return false
	}
	rouseAwait(rouseYield, 0, nil, 0)
	return true
}
