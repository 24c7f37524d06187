package recording

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// An Attempt repeats an execution by a schedule, ignoring entries that do not apply. It returns the
// schedule that the execution took, and whether it failed in the same way.
type Attempt func(s strategy.Schedule) (took strategy.Schedule, same bool)

// mostSteps bounds the steps of all attempts together, some seconds: an execution that was cut has as
// many as one may take.
const mostSteps = 10_000_000

// mostFound is how many entries of the schedule as it was found are kept: recordings are committed.
const mostFound = 1000

// ShrunkFrom notes that the schedule of r was shrunk from that of the recording found, or from what that was
// shrunk from. It is not kept if it is the same, or has more than 1000 entries.
func (r *Recording) ShrunkFrom(found *Recording) {
	was := found.Found
	if was == nil {
		was = found.Entries
	}
	r.Found = nil
	if len(was) > mostFound || slices.EqualFunc(was, r.Entries, func(a, b Entry) bool { return a.String() == b.String() }) {
		return
	}
	for _, e := range was {
		e.Comment = ""
		r.Found = append(r.Found, e)
	}
}

// AsFound returns the recording with the schedule as it was found, and nothing about how that ended; nil if
// that schedule is not known, or the same.
func (r *Recording) AsFound() *Recording {
	if r.Found == nil {
		return nil
	}
	found := *r
	found.Entries, found.Found, found.Hash, found.Site = r.Found, nil, 0, ""
	return &found
}

// WithinSteps returns a budget of attempts that take so many steps each, at most budget.
func WithinSteps(budget, steps int) int { return min(budget, 1+mostSteps/max(1, steps)) }

// Shrink looks for a shorter schedule that fails in the same way: it leaves out entries, first many at
// once and then fewer (delta debugging: Zeller and Hildebrandt, TSE 2002), until no single one can be
// left out, or budget attempts have been made. It returns the shortest and the number of attempts.
//
// Where entries cannot just be left out, it also closes the gap: the task whose decisions they were makes
// the later ones earlier by as many operations. That leaves out rounds of a loop.
//
// The schedule that an attempt took replaces the requested one unless it is longer: so entries that no
// longer apply are dropped, and those that moved are kept at their new place.
func Shrink(s strategy.Schedule, try Attempt, budget int) (strategy.Schedule, int) {
	attempts := 0
	best := s.Clone()
	shorter := func(candidate strategy.Schedule) bool {
		if attempts == budget {
			return false
		}
		attempts++
		took, same := try(candidate)
		if !same {
			return false
		}
		if took.Len() <= candidate.Len() {
			candidate = took.Clone()
		}
		best = candidate
		return true
	}
	leaveOut := func(size, step int) (any bool) {
		for from := 0; from < best.Len() && attempts < budget; {
			if closed, moved := closing(best, from, from+size); shorter(without(best, from, from+size)) || moved && shorter(closed) {
				any = true
			} else {
				from += step
			}
		}
		return any
	}
	for again := true; again; {
		again = false
		for size := (best.Len() + 1) / 2; size >= 1; size /= 2 {
			again = leaveOut(size, size) || again
		}
		for size := 2; size <= mostTogether && !again && best.Len() <= fewEntries; size++ {
			again = leaveOut(size, 1)
		}
	}
	return best, attempts
}

// Of at most fewEntries, up to mostTogether in a row are left out together where no single one can be: one
// switch to a task may be needed only for that back.
const mostTogether, fewEntries = 3, 50

// closing leaves out entries as without does, and closes the gaps. It reports whether any entry has moved.
func closing(s strategy.Schedule, from, to int) (r strategy.Schedule, moved bool) {
	r = without(s, from, to)
	first := map[uint64]strategy.Deviation{} // that is left out, by task
	for _, d := range s.Deviations[min(from, len(s.Deviations)):min(to, len(s.Deviations))] {
		if _, known := first[d.Task]; !known {
			first[d.Task] = d
		}
	}
	next := map[uint64]strategy.Deviation{} // that is kept after those, by task
	for i := from; i < len(r.Deviations); i++ {
		d := &r.Deviations[i]
		gap, left := first[d.Task]
		if !left {
			continue
		}
		begin, known := next[d.Task]
		if !known {
			begin, next[d.Task] = *d, *d
		}
		if d.After != gap.After && d.Ops == begin.Ops {
			continue
		}
		if d.Ops == begin.Ops && d.After == begin.After {
			d.Repeat -= begin.Repeat - gap.Repeat
		}
		d.Ops -= begin.Ops - gap.Ops
		moved = moved || begin.Ops != gap.Ops || begin.Repeat != gap.Repeat
	}
	return r, moved
}

// without leaves out the entries from the first number to before the second.
// Deviations are numbered first, then fires.
func without(s strategy.Schedule, from, to int) strategy.Schedule {
	n := len(s.Deviations)
	r := strategy.Schedule{Seed: s.Seed}
	for i, d := range s.Deviations {
		if i < from || i >= to {
			r.Deviations = append(r.Deviations, d)
		}
	}
	for i, f := range s.Fires {
		if n+i < from || n+i >= to {
			r.Fires = append(r.Fires, f)
		}
	}
	return r
}
