package explain

import (
	"fmt"
	"slices"
)

// What tasks do in turn, again and again, is shown once at the beginning and once at the end: a ticker that
// fires while others wait for each other, or a loop that sleeps.

const (
	longestRound = 12 // rows
	fewestRounds = 4  // that are worth it
)

// withoutRounds leaves out the middle of such stretches.
func withoutRounds(rows []Row) (all []Row) {
	for i := 0; i < len(rows); {
		length, rounds := roundsAt(rows, i)
		if rounds < fewestRounds {
			all = append(all, rows[i])
			i++
			continue
		}
		hidden := (rounds - 2) * length
		all = append(all, rows[i:i+length]...)
		all = append(all, Row{Task: rows[i].Task, Step: rows[i+length].Step, Text: fmt.Sprintf("... %d more rows like these", hidden)})
		i += length + hidden
	}
	return all
}

// roundsAt returns the length of the shortest stretch of rows at i that is repeated, and how many rounds
// there are. Rows of one task alone are not rounds.
func roundsAt(rows []Row, i int) (length, rounds int) {
	for length = 2; length <= longestRound && i+fewestRounds*length <= len(rows); length++ {
		if !slices.ContainsFunc(rows[i:i+length], func(r Row) bool { return r.Task != rows[i].Task }) {
			continue
		}
		n := 0
		for j := i; j+length < len(rows) && !rows[j].Kept && rows[j].repeats(rows[j+length]); j++ {
			n++
		}
		if rounds = 1 + n/length; rounds >= fewestRounds {
			return length, rounds
		}
	}
	return 0, 0
}

// repeats reports whether two rows differ in nothing but the step and the objects, which may be new each
// time.
func (r Row) repeats(other Row) bool {
	return r.Task == other.Task && r.Text == other.Text && r.File == other.File && r.Line == other.Line &&
		slices.Equal(r.Remarks, other.Remarks) && !other.Kept
}
