package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// Channels are modelled by which operations are enabled, not by queues: a send is enabled if the
// channel is closed, has room, or another task has announced to receive; a receive, if it is
// closed, holds a value, or another task has announced to send. Values in a buffer are in the
// real channel, on which the caller operates; where sender and receiver meet, the one that is
// chosen makes the step of both.
//
// A poll (a select with a default) may come just before a task that has announced to wait really
// waits. So a poll that could only meet such a task has another outcome, its default.

//go:norace
func (e *hookedTasks) Communicate(p *seam.Point, cases []seam.Case, hasDefault bool) (chosen int, done bool) {
	t := e.current()
	if e.abandoning {
		e.countPass()
		return e.communicateUnwinding(t, cases, hasDefault)
	}
	if e.weak != nil {
		e.weak.offer(t, cases, hasDefault)
	}
	if p != nil {
		e.control.Passed = p
	}
	kind := e.announceCommunication(t, cases, hasDefault)
	e.arrive(t)
	for i := range cases {
		if cases[i].X != nil {
			e.objects.at(cases[i].X).removeWaiter(t)
		}
	}
	chosen, done = t.chosen, t.granted
	if !t.granted {
		chosen, done = e.communicate(t)
	}
	t.granted = false
	if !hasDefault { // it can no longer be met
		e.channelsChanged(cases)
	}
	t.cases, t.hasDefault = nil, false
	if chosen < 0 {
		e.polled(t, cases)
		if e.tracing {
			e.traceCommunication(t, nil, cases, chosen)
			e.traceOvertaken()
		}
		return chosen, false
	}
	o := e.objects.at(cases[chosen].X)
	if done {
		racing.Acquire(cases[chosen].X)
	}
	e.did(t, o, kind)
	e.synchronise(o, acquires|releases)
	if e.tracing {
		e.traceCommunication(t, o, cases, chosen)
	}
	t.Op.Others = nil
	return chosen, done
}

//go:norace
func (e *hookedTasks) announceCommunication(t *task, cases []seam.Case, hasDefault bool) strategy.Kind {
	t.cases, t.hasDefault = cases, hasDefault
	t.missed, t.idles = 0, e.idles
	t.object = nil
	kind := strategy.Select
	if len(cases) == 1 && !hasDefault {
		if kind = strategy.Receive; cases[0].Send {
			kind = strategy.Send
		}
	}
	t.Op = strategy.Op{Kind: kind}
	for i := range cases {
		if cases[i].X == nil {
			continue
		}
		o := e.objects.at(cases[i].X)
		if t.object == nil {
			t.object = o
			t.Op.Object = o.id
		} else if !t.Op.Touches(o.id) {
			t.Op.Others = append(t.Op.Others, o.id)
		} else {
			continue
		}
		o.addWaiter(t)
		racing.ReleaseMerge(cases[i].X)
		if !hasDefault { // a poll of the other end can meet it now
			o.writes++
			e.queueAnnouncement(t, o)
		}
	}
	if len(e.spinners) > 0 {
		e.recheckSpinners()
	}
	if !e.front.ready(t) {
		e.disable(t)
		if e.tracing {
			e.traceWaits(t, cases)
		}
	}
	if !hasDefault {
		e.channelsChanged(cases)
	}
	return kind
}

//go:norace
func (e *hookedTasks) channelsChanged(cases []seam.Case) {
	for i := range cases {
		if cases[i].X != nil {
			e.changed(e.objects.at(cases[i].X))
		}
	}
}

// polled records a select that took its default: it has read all its channels.
//
//go:norace
func (e *hookedTasks) polled(t *task, cases []seam.Case) {
	if t.object == nil {
		e.didAlone(t, strategy.Select)
		return
	}
	e.did(t, t.object, strategy.Load)
	for i := range cases {
		if cases[i].X == nil {
			continue
		}
		if o := e.objects.at(cases[i].X); o != t.object {
			o.since += splitmix.Mix(t.Key, uint64(t.Ops))
			t.repeating = t.spin.read(o, true)
		}
	}
}

// canCommunicate reports whether one of the task's cases can be done.
//
//go:norace
func (e *hookedTasks) canCommunicate(t *task) bool {
	if t.hasDefault {
		return true
	}
	for i := range t.cases {
		if e.caseReady(t, i) {
			return true
		}
	}
	return false
}

//go:norace
func (e *hookedTasks) caseReady(t *task, i int) bool {
	c := &t.cases[i]
	if c.X == nil {
		return false
	}
	o := e.objects.at(c.X)
	if needsNoPartner(o, c) {
		return true
	}
	w, _ := e.partner(t, o, c)
	return w != nil
}

//go:norace
func needsNoPartner(o *object, c *seam.Case) bool {
	return o.closed || c.Send && c.Chan.Len() < c.Chan.Cap() || !c.Send && c.Chan.Len() > 0
}

// partner returns the task that has announced the other end of c for the longest time, and its
// case.
//
//go:norace
func (e *hookedTasks) partner(t *task, o *object, c *seam.Case) (*task, int) {
	if c.Chan.Cap() > 0 {
		return nil, 0
	}
	for _, w := range o.waiters {
		if w == t || w.granted || w.hasDefault {
			continue
		}
		for i := range w.cases {
			if w.cases[i].X == c.X && w.cases[i].Send != c.Send {
				return w, i
			}
		}
	}
	return nil, 0
}

// communicate does one of the cases that can be done.
//
//go:norace
func (e *hookedTasks) communicate(t *task) (chosen int, done bool) {
	ready := 0
	for i := range t.cases {
		if e.caseReady(t, i) {
			ready++
		}
	}
	if ready == 0 {
		if !t.hasDefault {
			panic("control: a communication was chosen that cannot be done")
		}
		return -1, false
	}
	var n int
	if !e.mayOvertake(t) {
		n = e.pickCase(t, ready)
	} else if n = e.pick(ready + 1); n == ready {
		e.overtake(t)
		return -1, false
	}
	for i := range t.cases {
		if !e.caseReady(t, i) {
			continue
		}
		if n == 0 {
			chosen = i
			break
		}
		n--
	}
	c := &t.cases[chosen]
	o := e.objects.at(c.X)
	if o.closed {
		return chosen, false
	}
	w, i := e.partner(t, o, c)
	if w == nil {
		e.touched = append(e.touched, o) // after the real operation
		return chosen, false
	}
	e.meet(t, c, w, i)
	return chosen, true
}

// meet does the case c of t and case i of w, which are the two ends of one communication.
//
//go:norace
func (e *hookedTasks) meet(t *task, c *seam.Case, w *task, i int) {
	from, to := c, &w.cases[i]
	if !c.Send {
		from, to = to, from
	}
	racing.Acquire(c.X)
	to.Copy(to.Value, from.Value)
	if to.OK != nil {
		*to.OK = true
	}
	racing.ReleaseMerge(c.X)
	w.granted, w.chosen = true, i
	if e.tracing {
		t.causes.partner = w
	}
	e.enable(w)
	e.channelsChanged(w.cases) // w can no longer be met
}

// mayOvertake reports whether a poll of t may find nothing ready although other tasks have
// announced to wait: each of them must have done so since the last time that no task could
// continue, and been missed fewer times than a loop is explored round by round.
//
//go:norace
func (e *hookedTasks) mayOvertake(t *task) bool {
	if !t.hasDefault {
		return false
	}
	for i := range t.cases {
		c := &t.cases[i]
		if c.X == nil {
			continue
		}
		o := e.objects.at(c.X)
		if needsNoPartner(o, c) {
			return false
		}
		w, _ := e.partner(t, o, c)
		switch {
		case w == nil:
		case w.idles != e.idles:
			return false
		case w.missed >= exploredRepeats:
			e.collapsed++
			return false
		}
	}
	return true
}

// overtake makes a poll of t precede the tasks that it could meet.
//
//go:norace
func (e *hookedTasks) overtake(t *task) {
	for i := range t.cases {
		if c := &t.cases[i]; c.X != nil {
			if w, _ := e.partner(t, e.objects.at(c.X), c); w != nil {
				w.missed++
				if e.tracing {
					e.causes.overtaken = append(e.causes.overtaken, w)
				}
			}
		}
	}
}

// communicateUnwinding does a communication that need not wait.
//
//go:norace
func (e *hookedTasks) communicateUnwinding(t *task, cases []seam.Case, hasDefault bool) (int, bool) {
	for i := range cases {
		c := &cases[i]
		if c.X == nil {
			continue
		}
		if e.objects.at(c.X).closed && !c.Send || c.Send && c.Chan.Len() < c.Chan.Cap() || !c.Send && c.Chan.Len() > 0 {
			return i, false
		}
	}
	if !hasDefault {
		e.unwind(t)
	}
	return -1, false
}

//go:norace
func (e *hookedTasks) CloseChan(p *seam.Point, x unsafe.Pointer) {
	if e.abandoning {
		e.countPass()
		if x != nil {
			e.objects.at(x).closed = true
		}
		return
	}
	t, o := e.step(strategy.Close, p, x)
	o.closed = true
	e.done(t, o, strategy.Close, releases)
}

//go:norace
func (e *hookedTasks) ChanClosed(x unsafe.Pointer) {
	o := e.objects.at(x)
	o.closed = true
	if e.tracing {
		e.traceClosed(o)
	}
	e.Changed(x)
	e.synchronise(o, releases)
}

//go:norace
func (e *hookedTasks) Changed(x unsafe.Pointer) {
	o := e.objects.at(x)
	o.writes++
	if e.tracing {
		e.tracePut(o)
	}
	if len(e.spinners) > 0 {
		e.recheckSpinners()
	}
	e.changed(o)
}
