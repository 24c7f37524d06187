package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
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
func (e *Tasks) Communicate(p *seam.Point, cases []seam.Case, hasDefault bool) (chosen int, done bool) {
	t := e.Running()
	if e.Abandoning {
		e.countPass()
		return e.communicateUnwinding(t, cases, hasDefault)
	}
	if e.weak != nil {
		e.weak.offer(t, cases, hasDefault)
	}
	if p != nil {
		e.Control.Passed = p
	}
	kind := e.announceCommunication(t, cases, hasDefault)
	e.arrive(t)
	for i := range cases {
		if cases[i].X != nil {
			e.RemoveWaiter(e.Objects.At(cases[i].X), t)
		}
	}
	chosen, done = t.Chosen, t.Granted
	if !t.Granted {
		chosen, done = e.communicate(t)
	}
	t.Granted = false
	if !hasDefault { // it can no longer be met
		e.channelsChanged(cases)
	}
	t.Cases, t.HasDefault = nil, false
	if chosen < 0 {
		e.polled(t, cases)
		if e.Tracing {
			e.TraceCommunication(t, nil, cases, chosen)
			e.TraceOvertaken()
		}
		return chosen, false
	}
	o := e.Objects.At(cases[chosen].X)
	if done {
		racing.Acquire(cases[chosen].X)
	}
	e.Did(t, o, kind)
	e.synchronise(o, acquires|releases)
	if e.Tracing {
		e.TraceCommunication(t, o, cases, chosen)
	}
	t.Op.Others = nil
	return chosen, done
}

//go:norace
func (e *Tasks) announceCommunication(t *core.Task, cases []seam.Case, hasDefault bool) strategy.Kind {
	t.Cases, t.HasDefault = cases, hasDefault
	t.Missed, t.Idles = 0, e.Idles
	t.Object = nil
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
		o := e.Objects.At(cases[i].X)
		if t.Object == nil {
			t.Object = o
			t.Op.Object = o.ID
		} else if !t.Op.Touches(o.ID) {
			t.Op.Others = append(t.Op.Others, o.ID)
		} else {
			continue
		}
		e.AddWaiter(o, t)
		racing.ReleaseMerge(cases[i].X)
		if !hasDefault { // a poll of the other end can meet it now
			o.Writes++
			e.QueueAnnouncement(t, o)
		}
	}
	if len(e.Spinners) > 0 {
		e.RecheckSpinners()
	}
	if !e.Front.Ready(t) {
		e.Disable(t)
		if e.Tracing {
			e.TraceWaits(t, cases)
		}
	}
	if !hasDefault {
		e.channelsChanged(cases)
	}
	return kind
}

//go:norace
func (e *Tasks) channelsChanged(cases []seam.Case) {
	for i := range cases {
		if cases[i].X != nil {
			e.ObjectChanged(e.Objects.At(cases[i].X))
		}
	}
}

// polled records a select that took its default: it has read all its channels.
//
//go:norace
func (e *Tasks) polled(t *core.Task, cases []seam.Case) {
	if t.Object == nil {
		e.DidAlone(t, strategy.Select)
		return
	}
	e.Did(t, t.Object, strategy.Load)
	for i := range cases {
		if cases[i].X == nil {
			continue
		}
		if o := e.Objects.At(cases[i].X); o != t.Object {
			o.Since += splitmix.Mix(t.Key, uint64(t.Ops))
			t.Repeating = t.Spin.Read(o, true)
		}
	}
}

// canCommunicate reports whether one of the task's cases can be done.
//
//go:norace
func (e *Tasks) canCommunicate(t *core.Task) bool {
	if t.HasDefault {
		return true
	}
	for i := range t.Cases {
		if e.caseReady(t, i) {
			return true
		}
	}
	return false
}

//go:norace
func (e *Tasks) caseReady(t *core.Task, i int) bool {
	c := &t.Cases[i]
	if c.X == nil {
		return false
	}
	o := e.Objects.At(c.X)
	if needsNoPartner(o, c) {
		return true
	}
	w, _ := e.partner(t, o, c)
	return w != nil
}

//go:norace
func needsNoPartner(o *core.Object, c *seam.Case) bool {
	return o.Closed || c.Send && c.Chan.Len() < c.Chan.Cap() || !c.Send && c.Chan.Len() > 0
}

// partner returns the task that has announced the other end of c for the longest time, and its
// case.
//
//go:norace
func (e *Tasks) partner(t *core.Task, o *core.Object, c *seam.Case) (*core.Task, int) {
	if c.Chan.Cap() > 0 {
		return nil, 0
	}
	for _, w := range o.Waiters {
		if w == t || w.Granted || w.HasDefault {
			continue
		}
		for i := range w.Cases {
			if w.Cases[i].X == c.X && w.Cases[i].Send != c.Send {
				return w, i
			}
		}
	}
	return nil, 0
}

// communicate does one of the cases that can be done.
//
//go:norace
func (e *Tasks) communicate(t *core.Task) (chosen int, done bool) {
	ready := 0
	for i := range t.Cases {
		if e.caseReady(t, i) {
			ready++
		}
	}
	if ready == 0 {
		if !t.HasDefault {
			panic("control: a communication was chosen that cannot be done")
		}
		return -1, false
	}
	var n int
	if !e.mayOvertake(t) {
		n = e.PickCase(t, ready)
	} else if n = e.PickAmong(ready + 1); n == ready {
		e.overtake(t)
		return -1, false
	}
	for i := range t.Cases {
		if !e.caseReady(t, i) {
			continue
		}
		if n == 0 {
			chosen = i
			break
		}
		n--
	}
	c := &t.Cases[chosen]
	o := e.Objects.At(c.X)
	if o.Closed {
		return chosen, false
	}
	w, i := e.partner(t, o, c)
	if w == nil {
		e.Touched = append(e.Touched, o) // after the real operation
		return chosen, false
	}
	e.meet(t, c, w, i)
	return chosen, true
}

// meet does the case c of t and case i of w, which are the two ends of one communication.
//
//go:norace
func (e *Tasks) meet(t *core.Task, c *seam.Case, w *core.Task, i int) {
	from, to := c, &w.Cases[i]
	if !c.Send {
		from, to = to, from
	}
	racing.Acquire(c.X)
	to.Copy(to.Value, from.Value)
	if to.OK != nil {
		*to.OK = true
	}
	racing.ReleaseMerge(c.X)
	w.Granted, w.Chosen = true, i
	if e.Tracing {
		t.Causes.Partner = w
	}
	e.Enable(w)
	e.channelsChanged(w.Cases) // w can no longer be met
}

// mayOvertake reports whether a poll of t may find nothing ready although other tasks have
// announced to wait: each of them must have done so since the last time that no task could
// continue, and been missed fewer times than a loop is explored round by round.
//
//go:norace
func (e *Tasks) mayOvertake(t *core.Task) bool {
	if !t.HasDefault {
		return false
	}
	for i := range t.Cases {
		c := &t.Cases[i]
		if c.X == nil {
			continue
		}
		o := e.Objects.At(c.X)
		if needsNoPartner(o, c) {
			return false
		}
		w, _ := e.partner(t, o, c)
		switch {
		case w == nil:
		case w.Idles != e.Idles:
			return false
		case w.Missed >= core.ExploredRepeats:
			e.Collapsed++
			return false
		}
	}
	return true
}

// overtake makes a poll of t precede the tasks that it could meet.
//
//go:norace
func (e *Tasks) overtake(t *core.Task) {
	for i := range t.Cases {
		if c := &t.Cases[i]; c.X != nil {
			if w, _ := e.partner(t, e.Objects.At(c.X), c); w != nil {
				w.Missed++
				if e.Tracing {
					e.Causes.Overtaken = append(e.Causes.Overtaken, w)
				}
			}
		}
	}
}

// communicateUnwinding does a communication that need not wait.
//
//go:norace
func (e *Tasks) communicateUnwinding(t *core.Task, cases []seam.Case, hasDefault bool) (int, bool) {
	for i := range cases {
		c := &cases[i]
		if c.X == nil {
			continue
		}
		if e.Objects.At(c.X).Closed && !c.Send || c.Send && c.Chan.Len() < c.Chan.Cap() || !c.Send && c.Chan.Len() > 0 {
			return i, false
		}
	}
	if !hasDefault {
		e.unwind(t)
	}
	return -1, false
}

//go:norace
func (e *Tasks) CloseChan(p *seam.Point, x unsafe.Pointer) {
	if e.Abandoning {
		e.countPass()
		if x != nil {
			e.Objects.At(x).Closed = true
		}
		return
	}
	t, o := e.step(strategy.Close, p, x)
	o.Closed = true
	e.done(t, o, strategy.Close, releases)
}

//go:norace
func (e *Tasks) ChanClosed(x unsafe.Pointer) {
	o := e.Objects.At(x)
	o.Closed = true
	if e.Tracing {
		e.TraceClosed(o)
	}
	e.Changed(x)
	e.synchronise(o, releases)
}

//go:norace
func (e *Tasks) Changed(x unsafe.Pointer) {
	o := e.Objects.At(x)
	o.Writes++
	if e.Tracing {
		e.TracePut(o)
	}
	if len(e.Spinners) > 0 {
		e.RecheckSpinners()
	}
	e.ObjectChanged(o)
}
