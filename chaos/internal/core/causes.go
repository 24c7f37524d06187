package core

import (
	"strconv"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// This file finds which event of a trace caused which. It is called only while tracing.

// causes holds what is known of the execution between two events.
type causes struct {
	Reached   []*Task // by the operation in progress
	Overtaken []*Task // by the poll in progress
	solo      *solo   // nil if there is no experiment
}

// taskCauses holds what is known of a task.
type taskCauses struct {
	NoPoint bool  // the pending operation has no hook point
	Partner *Task // the partner of the communication in progress
	source  int   // the event that ended its wait
	Since   int   // the event with which its wait began
	Started int   // the event before the task was started
}

// traceSource completes the last event: the source of what it read, and the tasks it reached.
//
//go:norace
func (e *Engine) traceSource(t *Task, kind strategy.Kind, o *Object) {
	n, last := len(e.Traced), e.LastTraced()
	waited := t.Op.Kind.Waits()
	switch {
	case waited && t.Causes.source != 0:
		last.Source = t.Causes.source
	case e.NamesSources && (kind == strategy.Load || kind == strategy.CAS || kind == strategy.Store):
	case o.writer == 0:
		last.Source = Initial
	default:
		last.Source = o.writer
	}
	if waited {
		last.Since = t.Causes.Since
		t.Causes.source, t.Causes.Since = 0, 0
	}
	if kind != strategy.Load && kind != strategy.Wait {
		o.writer = n
	}
	for _, w := range e.Causes.Reached {
		e.Reach(w)
	}
	e.Causes.Reached = e.Causes.Reached[:0]
}

// MostReached bounds how many of the tasks that an event let continue are kept: thousands may wait
// for one lock, and each unlocking reaches all of them.
const MostReached = 32

// Reach adds w to the tasks that the last event let continue.
//
//go:norace
func (e *Engine) Reach(w *Task) {
	if last := e.LastTraced(); len(last.Reached) < MostReached {
		last.Reached = append(last.Reached, w.Path())
	}
	w.Causes.source = len(e.Traced)
}

// traceChange finds the tasks that the last event lets continue by its change of o.
//
//go:norace
func (e *Engine) traceChange(o *Object) {
	if len(e.Traced) == 0 || e.LastTraced().Object != o.ID {
		return
	}
	switch e.LastTraced().Kind {
	case strategy.Close, strategy.Unlock, strategy.RUnlock, strategy.Signal, strategy.Store:
	default:
		return
	}
	for _, w := range o.Waiters {
		if w.Place < 0 && e.Front.Ready(w) {
			e.Reach(w)
		}
	}
	for _, g := range o.Groups {
		if !g.On && e.Front.Ready(TaskOf(g.Tasks[0])) {
			for _, w := range g.Tasks {
				e.Reach(TaskOf(w))
			}
		}
	}
}

// TraceWait records that t begins to wait. For a waiter of a condition, its Enqueue does.
//
//go:norace
func (e *Engine) TraceWait(t *Task, o *Object) {
	if t.Op.Kind == strategy.Wait && !o.Counts {
		return
	}
	source, since, writer := t.Causes.source, t.Causes.Since, o.writer
	e.trace(t, t.Op.Kind, o)
	t.Causes.source, o.writer = source, writer
	last := e.LastTraced()
	last.Op, last.Waits, last.Source, last.Since = -1, true, 0, 0
	if since == 0 {
		since = len(e.Traced)
	}
	t.Causes.Since = since
}

// TraceWaits is TraceWait for a communication.
//
//go:norace
func (e *Engine) TraceWaits(t *Task, cases []seam.Case) {
	if t.Object != nil {
		e.TraceWait(t, t.Object)
	} else {
		e.trace(t, t.Op.Kind, nil)
		e.LastTraced().Op, e.LastTraced().Waits = -1, true
	}
	e.LastTraced().Cases = e.CasesOf(cases)
}

// TraceOvertaken records again the waits of the tasks that the last event, a poll, has overtaken.
//
//go:norace
func (e *Engine) TraceOvertaken() {
	for _, w := range e.Causes.Overtaken {
		if since := w.Causes.Since; since > 0 && e.Traced[since-1].Waits {
			event := e.Traced[since-1]
			e.Traced[since-1].Overtaken = true
			e.Record(w, event)
			w.Causes.Since = len(e.Traced)
		}
	}
	e.Causes.Overtaken = e.Causes.Overtaken[:0]
}

// CasesOf returns the channels of cases by their numbers.
//
//go:norace
func (e *Engine) CasesOf(cases []seam.Case) []ChannelCase {
	all := make([]ChannelCase, len(cases))
	for i := range cases {
		all[i].Send = cases[i].Send
		if cases[i].X != nil {
			all[i].Object = e.Objects.At(cases[i].X).ID
		}
	}
	return all
}

// TraceCommunication completes the event of a communication that is done, or of a select that
// took its default.
//
//go:norace
func (e *Engine) TraceCommunication(t *Task, o *Object, cases []seam.Case, chosen int) {
	last := e.LastTraced()
	last.Cases, last.Took = e.CasesOf(cases), chosen
	switch {
	case chosen < 0:
		last.Outcome = "takes the default"
		return
	case t.Op.Kind == strategy.Select:
		last.Outcome = "takes case " + strconv.Itoa(chosen)
	}
	c := &cases[chosen]
	last.Held, last.Room = c.Chan.Len(), c.Chan.Cap()
	if last.Room > 0 && !o.Closed && c.Send { // the value follows
		last.Held++
	} else if last.Held > 0 {
		last.Held--
	}
	switch w := t.Causes.Partner; {
	case w != nil:
		t.Causes.Partner = nil
		e.Reach(w)
	case c.Send && !o.Closed && c.Chan.Cap() > 0:
		o.puts = append(o.puts, len(e.Traced))
	case !c.Send && c.Chan.Len() > 0:
		if extra := len(o.puts) - c.Chan.Len(); extra > 0 { // the owner of a timer has emptied its channel
			o.puts = o.puts[extra:]
		}
		if len(o.puts) > 0 {
			put := &e.Traced[o.puts[0]-1]
			put.Reached = append(put.Reached, t.Path())
			last.Source = o.puts[0]
			o.puts = o.puts[1:]
		}
	}
}

// TraceClosed records that o, the channel of a derived context, is closed with its parent's.
//
//go:norace
func (e *Engine) TraceClosed(o *Object) {
	t := e.Running()
	if n := len(e.Traced); t == nil || n > 0 && e.Traced[n-1].Object == o.ID && e.Traced[n-1].Kind == strategy.Close {
		return
	}
	e.TracePoint(t)
	last := e.LastTraced()
	last.Kind, last.Object, last.Point, last.Call = strategy.Close, o.ID, "", "ends a derived context"
	o.writer = len(e.Traced)
}

// TracePut records that the last event, a timer's firing, has put a value into o.
//
//go:norace
func (e *Engine) TracePut(o *Object) {
	if len(e.Traced) > 0 && e.LastTraced().Kind == strategy.Clock {
		e.LastTraced().Object = o.ID
		o.puts = append(o.puts, len(e.Traced))
	}
}

// TraceStarted notes the event before t was started, by its parent.
//
//go:norace
func (e *Engine) TraceStarted(t *Task) {
	path := t.Starter.Path()
	for i := len(e.Traced) - 1; i >= 0 && t.Causes.Started == 0; i-- {
		if e.Traced[i].Task == path {
			t.Causes.Started = i + 1
		}
	}
}

// TraceDropped completes the event of a dropped signal, whose object would have been at x.
//
//go:norace
func (e *Engine) TraceDropped(x unsafe.Pointer) {
	path, o := e.Running().Path(), e.Objects.find(x)
	for i := len(e.Traced) - 1; i >= 0 && o != nil; i-- {
		if last := &e.Traced[i]; last.Task == path {
			if last.Fault != "" {
				last.Object = o.ID
			}
			return
		}
	}
}
