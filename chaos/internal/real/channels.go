package real

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// This file traces channels and timers of tasks of a Runtime. The engine sees neither values nor which
// case a select takes, but how much buffers hold before and after.

// A chanBuffer is the beginning of the runtime's own channel.
type chanBuffer struct{ held, room uint }

// bufferOf returns the chanBuffer of a channel. The engine must not keep a pointer to it, by
// which the garbage collector would find it.
//
//go:norace
func bufferOf(o *core.Object) *chanBuffer { return *(**chanBuffer)(unsafe.Pointer(&o.X)) }

// traceChosen is called when t has been chosen, and before its operation.
//
//go:norace
func (s *Tasks) traceChosen(t *core.Task) {
	if t.Op.Kind != strategy.Select || of(t).parked {
		return
	}
	of(t).held = of(t).held[:0]
	for _, o := range of(t).polls {
		of(t).held = append(of(t).held, int(bufferOf(o).held))
	}
}

// traceChannel completes the event of a communication of t.
//
//go:norace
func (s *Tasks) traceChannel(t *core.Task, event *core.Event) {
	o := t.Object
	switch {
	case o == nil:
		return
	case event.Kind == strategy.Send || event.Kind == strategy.Receive || event.Kind == strategy.Close:
	case event.Kind == strategy.Select && len(of(t).held) == len(of(t).polls):
		if o = s.traceSelect(t, event); o == nil {
			return
		}
	default:
		return
	}
	b := bufferOf(o)
	event.Held, event.Room = int(b.held), int(b.room)
}

// traceSelect finds by which communication a select was done: the one whose buffer has changed, or
// whose partner was woken. It returns the channel, or nil.
//
//go:norace
func (s *Tasks) traceSelect(t *core.Task, event *core.Event) *core.Object {
	for i, o := range of(t).polls {
		if now := int(bufferOf(o).held); now != of(t).held[i] {
			event.Via = core.ChannelCase{Object: o.ID, Send: now > of(t).held[i]}
			return o
		}
	}
	for _, w := range of(t).wakes {
		for i, o := range of(t).polls {
			if does, sends := communicates(core.TaskOf(w), o); does && (len(of(t).polls) == 1 || sends != (i < of(t).sends)) {
				event.Via = core.ChannelCase{Object: o.ID, Send: !sends}
				return o
			}
		}
	}
	return nil
}

// communicates reports whether t waits to communicate by that channel, and whether it sends.
//
//go:norace
func communicates(t *core.Task, o *core.Object) (does, sends bool) {
	switch of(t).waitsIn.Kind {
	case strategy.Send, strategy.Receive:
		return t.Object == o, of(t).waitsIn.Kind == strategy.Send
	case strategy.Select:
		for i, other := range of(t).polls {
			if other == o {
				return true, i < of(t).sends
			}
		}
	}
	return false, false
}

// traceStartedTask notes the event before t was started: the one that is recorded next, of the operation
// in progress or of the timer, or else the last one of its parent.
//
//go:norace
func (s *Tasks) traceStartedTask(t *core.Task) {
	if s.firing || of(t.Starter).pending {
		t.Causes.Started = len(s.Traced) + 1
	} else {
		s.TraceStarted(t)
	}
}

// traceFired records that timers have fired.
//
//go:norace
func (s *Tasks) traceFired() {
	s.Record(nil, core.Event{Kind: strategy.Clock, Op: -1})
	for _, t := range s.timed {
		if last := s.LastTraced(); len(last.Reached) < core.MostReached {
			last.Reached = append(last.Reached, t.Path())
		}
	}
	s.timed = s.timed[:0]
}
