package control

import (
	"strconv"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// This file finds which event of a trace caused which. It is called only while tracing.

// causes holds what is known of the execution between two events.
type causes struct {
	reached   []*task // by the operation in progress
	overtaken []*task // by the poll in progress
	solo      *solo   // nil if there is no experiment
}

// taskCauses holds what is known of a task.
type taskCauses struct {
	noPoint bool  // the pending operation has no hook point
	partner *task // the partner of the communication in progress
	source  int   // the event that ended its wait
	since   int   // the event with which its wait began
	started int   // the event before the task was started
}

// traceSource completes the last event: the source of what it read, and the tasks it reached.
//
//go:norace
func (e *engine) traceSource(t *task, kind strategy.Kind, o *object) {
	n, last := len(e.traced), e.lastTraced()
	waited := t.Op.Kind.Waits()
	switch {
	case waited && t.causes.source != 0:
		last.Source = t.causes.source
	case e.namesSources && (kind == strategy.Load || kind == strategy.CAS || kind == strategy.Store):
	case o.writer == 0:
		last.Source = Initial
	default:
		last.Source = o.writer
	}
	if waited {
		last.Since = t.causes.since
		t.causes.source, t.causes.since = 0, 0
	}
	if kind != strategy.Load && kind != strategy.Wait {
		o.writer = n
	}
	for _, w := range e.causes.reached {
		e.reach(w)
	}
	e.causes.reached = e.causes.reached[:0]
}

// mostReached bounds how many of the tasks that an event let continue are kept: thousands may wait
// for one lock, and each unlocking reaches all of them.
const mostReached = 32

// reach adds w to the tasks that the last event let continue.
//
//go:norace
func (e *engine) reach(w *task) {
	if last := e.lastTraced(); len(last.Reached) < mostReached {
		last.Reached = append(last.Reached, w.path())
	}
	w.causes.source = len(e.traced)
}

// traceChange finds the tasks that the last event lets continue by its change of o.
//
//go:norace
func (e *engine) traceChange(o *object) {
	if len(e.traced) == 0 || e.lastTraced().Object != o.id {
		return
	}
	switch e.lastTraced().Kind {
	case strategy.Close, strategy.Unlock, strategy.RUnlock, strategy.Signal, strategy.Store:
	default:
		return
	}
	for _, w := range o.waiters {
		if w.place < 0 && e.front.ready(w) {
			e.reach(w)
		}
	}
}

// traceWait records that t begins to wait. For a waiter of a condition, its Enqueue does.
//
//go:norace
func (e *engine) traceWait(t *task, o *object) {
	if t.Op.Kind == strategy.Wait && !o.counts {
		return
	}
	source, since, writer := t.causes.source, t.causes.since, o.writer
	e.trace(t, t.Op.Kind, o)
	t.causes.source, o.writer = source, writer
	last := e.lastTraced()
	last.Op, last.Waits, last.Source, last.Since = -1, true, 0, 0
	if since == 0 {
		since = len(e.traced)
	}
	t.causes.since = since
}

// traceWaits is traceWait for a communication.
//
//go:norace
func (e *engine) traceWaits(t *task, cases []seam.Case) {
	if t.object != nil {
		e.traceWait(t, t.object)
	} else {
		e.trace(t, t.Op.Kind, nil)
		e.lastTraced().Op, e.lastTraced().Waits = -1, true
	}
	e.lastTraced().Cases = e.casesOf(cases)
}

// traceOvertaken records again the waits of the tasks that the last event, a poll, has overtaken.
//
//go:norace
func (e *engine) traceOvertaken() {
	for _, w := range e.causes.overtaken {
		if since := w.causes.since; since > 0 && e.traced[since-1].Waits {
			event := e.traced[since-1]
			e.traced[since-1].Overtaken = true
			e.record(w, event)
			w.causes.since = len(e.traced)
		}
	}
	e.causes.overtaken = e.causes.overtaken[:0]
}

//go:norace
func (e *engine) casesOf(cases []seam.Case) []ChannelCase {
	all := make([]ChannelCase, len(cases))
	for i := range cases {
		all[i].Send = cases[i].Send
		if cases[i].X != nil {
			all[i].Object = e.objects.at(cases[i].X).id
		}
	}
	return all
}

// traceCommunication completes the event of a communication that is done, or of a select that
// took its default.
//
//go:norace
func (e *engine) traceCommunication(t *task, o *object, cases []seam.Case, chosen int) {
	last := e.lastTraced()
	last.Cases, last.Took = e.casesOf(cases), chosen
	switch {
	case chosen < 0:
		last.Outcome = "takes the default"
		return
	case t.Op.Kind == strategy.Select:
		last.Outcome = "takes case " + strconv.Itoa(chosen)
	}
	c := &cases[chosen]
	last.Held, last.Room = c.Chan.Len(), c.Chan.Cap()
	if last.Room > 0 && !o.closed && c.Send { // the value follows
		last.Held++
	} else if last.Held > 0 {
		last.Held--
	}
	switch w := t.causes.partner; {
	case w != nil:
		t.causes.partner = nil
		e.reach(w)
	case c.Send && !o.closed && c.Chan.Cap() > 0:
		o.puts = append(o.puts, len(e.traced))
	case !c.Send && c.Chan.Len() > 0:
		if extra := len(o.puts) - c.Chan.Len(); extra > 0 { // the owner of a timer has emptied its channel
			o.puts = o.puts[extra:]
		}
		if len(o.puts) > 0 {
			put := &e.traced[o.puts[0]-1]
			put.Reached = append(put.Reached, t.path())
			last.Source = o.puts[0]
			o.puts = o.puts[1:]
		}
	}
}

// traceClosed records that o, the channel of a derived context, is closed with its parent's.
//
//go:norace
func (e *engine) traceClosed(o *object) {
	t := e.current()
	if n := len(e.traced); t == nil || n > 0 && e.traced[n-1].Object == o.id && e.traced[n-1].Kind == strategy.Close {
		return
	}
	e.tracePoint(t)
	last := e.lastTraced()
	last.Kind, last.Object, last.Point, last.Call = strategy.Close, o.id, "", "ends a derived context"
	o.writer = len(e.traced)
}

// tracePut records that the last event, a timer's firing, has put a value into o.
//
//go:norace
func (e *engine) tracePut(o *object) {
	if len(e.traced) > 0 && e.lastTraced().Kind == strategy.Clock {
		e.lastTraced().Object = o.id
		o.puts = append(o.puts, len(e.traced))
	}
}

// traceStarted notes the event before t was started, by its parent.
//
//go:norace
func (e *engine) traceStarted(t *task) {
	path := t.parent.path()
	for i := len(e.traced) - 1; i >= 0 && t.causes.started == 0; i-- {
		if e.traced[i].Task == path {
			t.causes.started = i + 1
		}
	}
}

// traceDropped completes the event of a dropped signal, whose object would have been at x.
//
//go:norace
func (e *engine) traceDropped(x unsafe.Pointer) {
	path, o := e.current().path(), e.objects.find(x)
	for i := len(e.traced) - 1; i >= 0 && o != nil; i-- {
		if last := &e.traced[i]; last.Task == path {
			if last.Fault != "" {
				last.Object = o.id
			}
			return
		}
	}
}
