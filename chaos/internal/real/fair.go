package real

import "github.com/rouse-go/rouse/chaos/internal/core"

// Strategies need not be fair, and a test that waits in a loop for another goroutine is common: for
// !waits() {}. So a task of a Runtime that could have continued for very long gets a turn. The turn
// follows from the steps alone, and is not a decision. It leaves out the schedules in which the task
// waits for longer, so it counts as forced: see strategy.Result.
//
// The engine cannot distinguish a loop that waits from work, unless its tasks come back to the states
// that they have been in (see livelock.go). So the first turn comes after half a million steps, and
// others sooner and sooner: a test may have many such loops.

const (
	// turnSteps is how many steps a task makes in its turn.
	turnSteps = 64
	// sooner divides the steps to wait after each turn.
	sooner = 8
)

// fairness holds the state of an execution's turns.
type fairness struct {
	next  int        // the step of the next check
	turn  *core.Task // the task that has its turn; nil if none has
	until int        // the step at which the turn ends
	round round
}

// turn gives t the turn, whatever the strategy would choose.
//
//go:norace
func (s *Tasks) turn(t *core.Task) {
	s.fair.turn, s.fair.until = t, s.Step+turnSteps
	s.Forced++
}

// Overdue returns the place of the enabled task whose turn it is, or -1 if the strategy is to
// choose.
//
//go:norace
func (s *Tasks) Overdue() int {
	if s.recurrence.turns {
		return s.recurrence.next(s)
	}
	f := &s.fair
	if s.RoundLeft > 0 {
		return f.round.next(s)
	}
	if s.Step >= f.next {
		f.next = s.Step + core.FairSteps
		f.turn = nil
		if len(s.Enabled) > 1 { // the clock may be what a task waits for
			s.checkFair()
		}
	}
	if f.turn == nil || f.turn.Place < 0 || s.Step >= f.until {
		f.turn = nil
		return -1
	}
	return f.turn.Place
}

// checkFair gives the turn to the task that has waited for the longest time, if that is long enough.
//
//go:norace
func (s *Tasks) checkFair() {
	var eldest *core.Task
	longest := s.bears - 1
	for _, t := range s.Enabled {
		w := core.TaskOf(t)
		if waits := s.Step - max(w.Moved, w.Continues); !w.Pseudo && waits > longest {
			eldest, longest = w, waits
		}
	}
	if eldest != nil {
		s.turn(eldest)
		s.bears = max(s.bears/sooner, core.FairSteps)
	}
}
