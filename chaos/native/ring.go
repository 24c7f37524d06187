package native

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/internal/seam"
)

// Sizes of a ring. Most tasks of a fork-join program are short, and need only the slots that
// they begin with.
const (
	ringSize = 64
	bornWith = 8
)

// A ring keeps the last events of one task. Only the task writes to it; other goroutines may
// read at any time, and get whole events or none.
type ring struct {
	n     uint64 // events so far; written by the task only
	small [bornWith]slot
	own   *[ringSize]slot                // replaces small when that is full; read by the task only
	large atomic.Pointer[[ringSize]slot] // own, for others to read
}

// A slot holds one event. The writer clears the stamp, writes, and sets the new stamp; a reader
// that finds the same stamp before and after has read one event. The clearing and the second
// look are read-modify-writes, since on arm64 a plain store or load may be reordered with its
// neighbours.
type slot struct {
	stamp atomic.Uint64 // number of the event from 1; 0 while it is written
	event event
}

// write puts an event in. Called by the task only, between Hide and Show. stamp
// is not 0.
//
//go:norace
func (s *slot) write(e *event, stamp uint64) {
	s.stamp.Swap(0)
	s.event = *e
	s.stamp.Store(stamp)
}

// read returns the event and its stamp; the stamp is 0 if the slot is empty or being
// overwritten. Between Hide and Show.
//
//go:norace
func (s *slot) read() (e event, stamp uint64) {
	stamp = s.stamp.Load()
	if stamp == 0 {
		return e, 0
	}
	e = s.event
	if !s.stamp.CompareAndSwap(stamp, stamp) {
		return e, 0
	}
	return e, stamp
}

// An event is one visit of a hook point.
type event struct {
	when           time.Duration // since the engine was armed
	point          *seam.Point
	visit          uint64
	fired          seam.Fault // set of the faults that fired
	valued         bool       // the verb was Value
	delay          time.Duration
	hold           *fault // the hold that took effect, or nil
	seen, returned uint64
}

// slotOf returns where the n-th event goes, from 0.
//
//go:norace
func (r *ring) slotOf(n uint64) *slot {
	if r.own != nil {
		return &r.own[n%ringSize]
	}
	if n < bornWith {
		return &r.small[n]
	}
	large := new([ringSize]slot)
	for i := range r.small {
		large[i].event = r.small[i].event
		large[i].stamp.Store(r.small[i].stamp.Load())
	}
	r.own = large
	r.large.Store(large)
	return &large[n%ringSize]
}

// begin takes the slot of the next event, to be written in place. Called by the
// task only, as is end, and both between the same hide and show.
//
//go:norace
func (r *ring) begin() *slot {
	s := r.slotOf(r.n)
	s.stamp.Swap(0)
	return s
}

// end gives the slot back, written.
//
//go:norace
func (r *ring) end(s *slot) {
	r.n++
	s.stamp.Store(r.n)
}

// last returns the available events, oldest first. Between Hide and Show.
//
//go:norace
func (r *ring) last() []event {
	slots := r.small[:]
	if large := r.large.Load(); large != nil {
		slots = large[:]
	}
	events := make([]event, 0, len(slots))
	stamps := make([]uint64, 0, len(slots))
	for i := range slots {
		e, stamp := slots[i].read()
		if stamp == 0 {
			continue
		}
		at := len(events)
		events, stamps = events[:at+1], stamps[:at+1]
		for ; at > 0 && stamps[at-1] > stamp; at-- { // by number; nearly sorted
			events[at], stamps[at] = events[at-1], stamps[at-1]
		}
		events[at], stamps[at] = e, stamp
	}
	return events
}
