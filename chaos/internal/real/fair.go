package real

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
)

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
		if s.Len() > 1 { // the clock may be what a task waits for
			s.checkFair()
		}
	}
	if f.turn == nil || !f.turn.IsEnabled() || s.Step >= f.until {
		f.turn = nil
		return -1
	}
	return s.Index(&f.turn.Task)
}

// checkFair gives the turn to the task that has waited for the longest time, if that is long enough.
//
//go:norace
func (s *Tasks) checkFair() {
	var eldest *core.Task
	longest := s.bears - 1
	for _, other := range s.All() {
		w := core.TaskOf(other)
		if waits := s.Step - max(w.Moved, w.Continues); !w.Pseudo && waits > longest {
			eldest, longest = w, waits
		}
	}
	if eldest != nil {
		s.turn(eldest)
		s.bears = max(s.bears/sooner, core.FairSteps)
	}
}

// Time passes for loops that wait, although the tasks share one processor: on a machine, the tasks that work would
// have had another one meanwhile. So the tasks that can continue keep pace. When some time has passed, and before time
// jumps on account of loops, there is a round: all of them have short turns, one after the other, and no time passes.
// Otherwise a time-out would be hit while tasks are about to do what the loop waits for, by no fault of theirs:
// strategies need not be fair, and a loop that polls takes most of the steps.

const (
	// mostLate is how late virtual time may make a task that can continue, in nanoseconds: what a loaded machine
	// does.
	mostLate = 10e6
	// leastRound and mostRound bound the steps of a round. A round has roundShare times as many as there were since
	// the last.
	leastRound, mostRound = 1 << 10, 1 << 16
	roundShare            = 2
	// briefTurn is how many steps a task makes in a row in a round, unless it yields.
	briefTurn = 8
)

// round is the round in progress, or what is kept of the last one.
type round struct {
	turn  *core.Task
	until int   // the step at which the turn ends
	made  int   // steps made in the round
	began int   // the step at which it began
	time  int64 // the virtual time at that step
	fresh bool  // no time has passed since then for loops that wait
}

// keepsPace begins a round if some time has passed since the last one, or, before a jump, if it has since the last
// jump. It reports whether there is a round. There is none if no task could notice that time passes: if no task
// has armed a timer (one that no task waits for is not pending), or asked for the time.
//
//go:norace
func (s *Tasks) keepsPace(jumps bool) bool {
	r := &s.fair.round
	switch {
	case s.RoundLeft > 0:
		return true
	case jumps && r.fresh, !jumps && s.runtime.Now()-r.time <= mostLate, s.Contenders() < 2:
		return false
	}
	armed, slept := s.runtime.Armed()
	if _, pending := s.runtime.NextTimer(); !pending && armed+slept+s.timeLooks() == 0 {
		return false
	}
	for len(s.Spinners) > 0 {
		t := s.Spinners[len(s.Spinners)-1]
		s.Spinners = s.Spinners[:len(s.Spinners)-1]
		s.runOnAlone(t)
	}
	steps := roundShare * (s.Step - r.began - r.made)
	s.RoundLeft = min(max(steps, leastRound), mostRound)
	*r = round{began: s.Step, time: s.runtime.Now(), fresh: true}
	s.Forced++
	s.findWorkAgain()
	return true
}

// next returns the place of the task whose turn it is in a round, -1 if none can continue.
//
//go:norace
func (r *round) next(s *Tasks) int {
	if t := r.turn; t == nil || !t.IsEnabled() || s.Step >= r.until || t.Op.Kind == strategy.Yield {
		last := -1
		if t != nil {
			last = t.ID
		}
		if r.turn = core.TaskOf(s.Following(last)); r.turn == nil {
			s.RoundLeft = 0
			return -1
		}
		r.until = s.Step + briefTurn
	}
	s.RoundLeft--
	r.made++
	return s.Index(&r.turn.Task)
}
