package recording

import "github.com/rouse-go/rouse/chaos/strategy"

// An Attempt repeats an execution under a schedule, leniently, and returns the
// schedule that it really took, and whether it failed in the way that is wanted.
type Attempt func(s strategy.Schedule) (took strategy.Schedule, same bool)

// mostSteps bounds the steps that all attempts together take, some seconds: those of an
// execution that was cut are as many as one may take.
const mostSteps = 10_000_000

// WithinSteps returns a budget of attempts that take so many steps each, at most budget.
func WithinSteps(budget, steps int) int { return min(budget, 1+mostSteps/max(1, steps)) }

// Shrink looks for a shorter schedule that fails in the same way: it leaves out
// entries, first many at once and then fewer (delta debugging: Zeller and
// Hildebrandt, TSE 2002), until no single one can be left out, or budget attempts
// have been made. It returns the shortest and the number of attempts.
//
// What an attempt took replaces what was asked for whenever it is not longer:
// entries that no longer apply go, and those that moved are kept where they are
// now.
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
	var r strategy.Schedule
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
