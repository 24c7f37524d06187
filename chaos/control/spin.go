package control

import (
	"github.com/rouse-go/rouse/chaos/strategy"
)

// reads is what a task has read since it last learnt or did something: each object, as
// of its last write. Reading one of them again is a repetition.
//
// A task that repeats itself may be in a loop without end, which only a write by another
// ends, or in one that is bounded: what it does after its last round must be explored
// against everything else. Reads do not tell the two apart, since nobody sees a task's
// own variables. But repetitions commute with all that writes none of the objects. So
// where in between the others move is of no consequence, and a repeating task
// has two ways to go on: it is held back until an object is written, or runs on alone
// until it does something else.
type reads struct {
	seen    [maxReads]seen
	n       int
	repeats int
	steps   int               // that it has run on alone
	asked   strategy.Question // the last that was asked about the loop
	solo    bool              // the answer: it runs on alone
	stop    int               // repeats after which it is held back all the same; 0 is none
}

type seen struct {
	object *object
	writes uint64
	failed bool // the last attempt at it (a compare-and-swap, a TryLock, a poll) failed
}

const (
	// exploredRepeats is what no code repeats that is not a loop: up to here, all interleavings
	// are explored.
	exploredRepeats = 12
	// maxRounds bounds how long a task runs on alone, in rounds of its loop: polls of
	// bounded loops are tens (a pool's rounds until it sleeps) or hundreds, and 1,000 is a
	// round number that people write.
	maxRounds = 1024
	// stepsPerRead bounds it for loops that do more than read: yields, hook points.
	stepsPerRead = 4
	// maxReads bounds a loop that is recognised: objects read per round.
	maxReads = 64
)

//go:norace
func (r *reads) forget() {
	r.n, r.repeats, r.steps, r.asked, r.solo, r.stop = 0, 0, 0, 0, false, 0
}

// read notes a read, or an attempt that failed, and reports whether the task repeats
// itself: it has read as much again as it read.
//
//go:norace
func (r *reads) read(o *object, attempt bool) bool {
	for i := range r.seen[:r.n] {
		s := &r.seen[i]
		if s.object == o {
			if s.writes != o.writes {
				r.forget()
				break
			}
			s.failed = s.failed || attempt
			r.repeats++
			return r.repeats >= max(r.n, 2)
		}
	}
	if r.n == maxReads {
		r.forget()
	}
	r.seen[r.n] = seen{o, o.writes, attempt}
	r.n++
	return false
}

// isLoop reports whether the task has repeated more than straight code does, which is
// a few times.
//
//go:norace
func (r *reads) isLoop(few int) bool { return r.repeats >= max(2*r.n, few) }

// stops reports whether it has run on alone for as long as was chosen.
//
//go:norace
func (r *reads) stops() bool { return r.stop > 0 && r.repeats >= r.stop }

// isLong reports whether it has run on alone for as long as it may.
//
//go:norace
func (r *reads) isLong() bool {
	return r.repeats >= maxRounds*r.n || r.steps >= stepsPerRead*maxRounds*r.n
}

// knows reports whether another read of o, or another attempt at it, repeats one before.
//
//go:norace
func (r *reads) repeatsRead(o *object, attempt bool) bool {
	for i := range r.seen[:r.n] {
		if s := &r.seen[i]; s.object == o {
			return s.writes == o.writes && (s.failed || !attempt)
		}
	}
	return false
}

// stale reports whether something that was read has been written.
//
//go:norace
func (r *reads) stale() bool {
	for i := range r.seen[:r.n] {
		if r.seen[i].object.writes != r.seen[i].writes {
			return true
		}
	}
	return false
}

// repeats reports whether what t is about to do repeats what it has done.
//
//go:norace
func (e *engine) repeats(t *task) bool {
	switch t.Op.Kind {
	case strategy.Yield, strategy.Point:
		return true
	case strategy.Load:
		return t.spin.repeatsRead(t.object, false)
	case strategy.CAS, strategy.TryLock, strategy.TryRLock:
		return t.spin.repeatsRead(t.object, true)
	case strategy.Select:
		if !t.hasDefault || t.object == nil {
			return t.hasDefault
		}
		for i := range t.cases {
			if x := t.cases[i].X; x != nil && !t.spin.repeatsRead(e.objects.at(x), true) {
				return false
			}
		}
		return true
	}
	return false
}
