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

// AsFound returns the recording with the schedule as it was found, and nothing of how that ended; nil if it is
// not known, or the same.
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
// The schedule that an attempt took replaces the requested one unless it is longer: so entries that no
// longer apply are dropped, and those that moved are kept at their new place.
func Shrink(s strategy.Schedule, try Attempt, budget int) (strategy.Schedule, int) {
	attempts := 0
	best := s.Clone()
	for again := true; again; {
		again = false
		for size := (best.Len() + 1) / 2; size >= 1; size /= 2 {
			for from := 0; from < best.Len(); {
				if attempts == budget {
					return best, attempts
				}
				attempts++
				candidate := without(best, from, from+size)
				took, same := try(candidate)
				switch {
				case !same:
					from += size
					continue
				case took.Len() <= candidate.Len():
					candidate = took.Clone()
				}
				best, again = candidate, true
			}
		}
	}
	return best, attempts
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
