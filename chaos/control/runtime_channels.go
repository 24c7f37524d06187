package control

import (
	"unsafe"

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
func bufferOf(o *object) *chanBuffer { return *(**chanBuffer)(unsafe.Pointer(&o.x)) }

// traceChosen is called when t has been chosen, and before its operation.
//
//go:norace
func (s *runtimeTasks) traceChosen(t *task) {
	if t.Op.Kind != strategy.Select || t.real.parked {
		return
	}
	t.real.held = t.real.held[:0]
	for _, o := range t.real.polls {
		t.real.held = append(t.real.held, int(bufferOf(o).held))
	}
}

// traceChannel completes the event of a communication of t.
//
//go:norace
func (s *runtimeTasks) traceChannel(t *task, event *Event) {
	o := t.object
	switch {
	case o == nil:
		return
	case event.Kind == strategy.Send || event.Kind == strategy.Receive || event.Kind == strategy.Close:
	case event.Kind == strategy.Select && len(t.real.held) == len(t.real.polls):
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
func (s *runtimeTasks) traceSelect(t *task, event *Event) *object {
	for i, o := range t.real.polls {
		if now := int(bufferOf(o).held); now != t.real.held[i] {
			event.Via = ChannelCase{Object: o.id, Send: now > t.real.held[i]}
			return o
		}
	}
	for _, w := range t.real.wakes {
		for i, o := range t.real.polls {
			if does, sends := of(w).communicates(o); does && (len(t.real.polls) == 1 || sends != (i < t.real.sends)) {
				event.Via = ChannelCase{Object: o.id, Send: !sends}
				return o
			}
		}
	}
	return nil
}

// communicates reports whether t waits to communicate by that channel, and whether it sends.
//
//go:norace
func (t *task) communicates(o *object) (does, sends bool) {
	switch t.real.waitsIn.Kind {
	case strategy.Send, strategy.Receive:
		return t.object == o, t.real.waitsIn.Kind == strategy.Send
	case strategy.Select:
		for i, other := range t.real.polls {
			if other == o {
				return true, i < t.real.sends
			}
		}
	}
	return false, false
}

// traceStartedTask notes the event before t was started: the one that is recorded next, of the operation
// in progress or of the timer, or else the last one of its parent.
//
//go:norace
func (s *runtimeTasks) traceStartedTask(t *task) {
	if s.firing || t.parent.real.pending {
		t.causes.started = len(s.traced) + 1
	} else {
		s.traceStarted(t)
	}
}

// traceFired records that timers have fired.
//
//go:norace
func (s *runtimeTasks) traceFired() {
	s.record(nil, Event{Kind: strategy.Clock, Op: -1})
	for _, t := range s.timed {
		if last := s.lastTraced(); len(last.Reached) < mostReached {
			last.Reached = append(last.Reached, t.path())
		}
	}
	s.timed = s.timed[:0]
}
