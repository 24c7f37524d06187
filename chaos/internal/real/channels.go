package real

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// This file traces channels of tasks of a Runtime. The engine does not see values, but how much buffers hold.

// A chanBuffer is the beginning of the runtime's own channel.
type chanBuffer struct{ held, room uint }

// bufferOf returns the chanBuffer of a channel. The engine must not keep a pointer to it, by
// which the garbage collector would find it.
//
//go:norace
func bufferOf(o *core.Object) *chanBuffer { return *(**chanBuffer)(unsafe.Pointer(&o.X)) }

// traceChannel completes the event of a communication of t.
//
//go:norace
func (s *Tasks) traceChannel(t *core.Task, event *core.Event) {
	o := t.Object
	switch {
	case o == nil:
		return
	case event.Kind == strategy.Send || event.Kind == strategy.Receive || event.Kind == strategy.Close:
	case t.Op.Kind == strategy.Select:
		if event.Kind == strategy.Load && event.Call == "" {
			event.Outcome = takesDefault
		}
		if o = s.traceSelect(t, event); o == nil {
			return
		}
	default:
		return
	}
	b := bufferOf(o)
	event.Held, event.Room = int(b.held), int(b.room)
}

// takesDefault is the outcome of a select that takes its default.
const takesDefault = "takes the default"

// traceSelect completes the event of a select that is done, or that waits, and returns the channel of the case that was
// taken, or nil.
//
//go:norace
func (s *Tasks) traceSelect(t *core.Task, event *core.Event) *core.Object {
	h := of(t)
	channel, sends, nth := s.runtime.Selected(h.number)
	for _, o := range h.polls {
		if o.X == channel {
			event.Via, event.Nth = core.ChannelCase{Object: o.ID, Send: sends}, nth
			return o
		}
	}
	for i, o := range h.polls {
		if i >= h.sends {
			o = h.polls[len(h.polls)-1+h.sends-i] // the last one of those that receive comes first
		}
		event.Polls = append(event.Polls, core.ChannelCase{Object: o.ID, Send: i < h.sends})
	}
	return nil
}

// traceContinued records by which case a select continues that has waited.
//
//go:norace
func (s *Tasks) traceContinued(t *core.Task) {
	event := core.Event{Kind: strategy.Resume, Op: -1}
	if s.TraceEvent(t, event.Kind, nil, &event); event.Call != "" { // a library's
		return
	}
	if o := s.traceSelect(t, &event); o != nil {
		event.Object, event.Polls = o.ID, nil
		s.Record(t, event)
	}
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
