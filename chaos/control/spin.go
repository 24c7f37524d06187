package control

// reads is what a task has read since it last learnt or did something: each
// object, as of its last write. Reading one of them again is a repetition. A task
// that has repeated as much as it read, twice over, spins: it goes on repeating
// itself until somebody writes one of the objects, and is not chosen before, as
// long as there is another. (At least fewRepeats of them: straight code that looks at
// a latch three times is no loop, and if it could not be chosen, what it races with
// would not be found.)
type reads struct {
	seen    [maxReads]seen
	n       int
	repeats int
}

type seen struct {
	object *object
	writes uint64
}

// fewRepeats is what no code repeats that is not a loop.
const fewRepeats = 12

// maxReads bounds a loop that is recognised: objects read per round.
const maxReads = 64

//go:norace
func (r *reads) forget() { r.n, r.repeats = 0, 0 }

// read notes a read and reports whether the task spins.
//
//go:norace
func (r *reads) read(o *object) bool {
	for i := range r.seen[:r.n] {
		s := &r.seen[i]
		if s.object == o {
			if s.writes != o.writes {
				r.forget()
				break
			}
			r.repeats++
			return r.repeats >= max(2*r.n, fewRepeats)
		}
	}
	if r.n == maxReads {
		r.forget()
	}
	r.seen[r.n] = seen{o, o.writes}
	r.n++
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
