package control

import (
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
)

// A loop that only reads, yields, sleeps, locks and unlocks may be work on plain variables, or poll a
// bounded number of times. So the step limit alone makes it a livelock, unless the tasks are seen to come
// back to the states that they have been in: after some thousand steps without a change, the states of
// those that the strategy runs are compared. If few of them are new, all that can continue get turns of random
// lengths, and their states are compared. If none that they come to in the second half of that is new, and a
// 64th of the limit has passed without a change, it goes on for ever.
//
// A state is a hash of what a task can use next (see Runtime.State), so a loop that counts or works under
// a lock comes to new ones. Time and the network could end a loop, so no timer is pending at the
// beginning but those that end sleeps, no task asks for the time, and those that sleep come back, too.

const (
	suspectShare = 64
	// suspectSteps is how many steps without a change are too few for any suspicion.
	suspectSteps = 1 << 14
	// familiarSteps is for how long the states of what the strategy runs are recorded, and then for how long
	// most of them must not be new: otherwise it works, and no other task gets a turn.
	familiarSteps = 1 << 10
	// judgingStates is of how many states of each of them it is looked at least whether it works: whether half of them
	// are new. mostJudging is for how many steps at most.
	judgingStates = 1 << 6
	mostJudging   = 1 << 12
	// newShare is of the steps: a task that works comes to a new state in each.
	newShare = 4
	// recurringSteps is for how long states are recorded, and then for how long none must be new.
	recurringSteps = 1 << 12
	// mostTurn bounds the steps of a turn.
	mostTurn = 64
	// sleeping is the reason for which a task that sleeps has parked.
	sleeping = "sleep"
)

// recurrence is what an execution knows of a loop of all tasks that can continue.
type recurrence struct {
	suspect  int // steps without a change after which one is suspected next; 0 is not decided
	from     int // the step in which the comparison began; 0: there is none
	looks    int // timeLooks then
	newest   int // the step of the last new state
	states   map[uint64]struct{}
	turns    bool // all that can continue get turns, as those that the strategy runs seem to spin
	fresh    int  // new states in the second half of the steps before that
	turn     *task
	until    int // the step in which the turn ends
	livelock bool
	judging  bool // the comparison is to find no more than whether they work
	judged   int  // the last step that changed something when that was found, plus 1
	looked   int  // the step in which it was
	works    bool // most states of one were new
}

// suspect begins a comparison if the last n steps have changed nothing and it is time for one, or if it is not
// known whether they are work.
//
//go:norace
func (s *runtimeTasks) suspect(n int) {
	r := &s.recurrence
	if r.suspect == 0 {
		r.suspect = fairSteps
	}
	if r.from > 0 {
		return
	}
	least := r.suspect
	if len(s.Enabled) == 1 { // there is no other to get a turn
		least = max(least, s.livelockSteps())
	}
	if n >= least && !s.mainEnded && s.externals == 0 && s.runtime.OnlySleeps() {
		r.suspect = 2 * least
		r.turns, r.judging, r.looks = false, false, s.timeLooks()
		r.begin(s.Step)
	} else if n >= fewPolls && r.judged != s.progress+1 {
		s.findWork()
	}
}

// findWorkAgain is findWork in a round, in which all have turns, if the last comparison is long ago and has found none.
//
//go:norace
func (s *runtimeTasks) findWorkAgain() {
	if r := &s.recurrence; r.from == 0 && !(r.works && r.judged == s.progress+1) && s.Step >= 2*r.looked {
		s.findWork()
	}
}

// findWork begins a comparison that is to find no more than whether one of the tasks works that can continue.
//
//go:norace
func (s *runtimeTasks) findWork() {
	r := &s.recurrence
	r.turns, r.judging = false, true
	r.begin(s.Step)
}

// livelockSteps is for how many steps without a change a loop has to come back to its states.
//
//go:norace
func (s *runtimeTasks) livelockSteps() int { return max(s.limit/suspectShare, suspectSteps) }

// mayWork reports whether the tasks have not been seen, since the last step that changed something, to come back
// to states.
//
//go:norace
func (s *runtimeTasks) mayWork() bool {
	r := &s.recurrence
	return r.works || r.judged != s.progress+1
}

// judged is how many states of a task have been seen in a comparison, and how many of these were new.
type judged struct{ from, states, fresh int }

//go:norace
func (r *recurrence) begin(step int) {
	r.from, r.newest, r.turn, r.fresh = step, step, nil, 0
	r.states = map[uint64]struct{}{}
}

//go:norace
func (r *recurrence) end() { r.from, r.turn, r.turns = 0, nil, false }

// timeLooks counts what a task may learn the time by.
//
//go:norace
func (s *runtimeTasks) timeLooks() int { return s.runtime.Looks() + s.runtime.TimerPolls() }

// compare adds the state of t, which is at a point, and reports whether the execution is a livelock. That, and
// whether there are turns, depends on the states; which ones, and for how long, follows from the steps. What
// a preemption leaves on a stack is a new state or two: most have to be new for there to be no turns.
//
//go:norace
func (s *runtimeTasks) compare(t *task) bool {
	r := &s.recurrence
	if s.progress > r.from || !r.judging && s.timeLooks() != r.looks {
		if r.turns { // it was a loop that waited, and there may be another
			r.suspect /= 2
		}
		r.end()
		return false
	}
	state := s.state(t)
	_, known := r.states[state]
	if !known {
		r.states[state] = struct{}{}
		r.newest = s.Step
	}
	switch {
	case r.judging:
		s.seesWork(t, known)
		return false
	case !r.turns:
		n := s.Step - r.from - familiarSteps
		if !known && n >= 0 {
			r.fresh++
		}
		if n >= familiarSteps {
			r.judged, r.works = s.progress+1, r.fresh >= n/newShare
			if r.turns = !r.works; r.turns {
				r.begin(s.Step)
			} else {
				r.end()
			}
		}
		return false
	}
	if s.Step < r.from+2*recurringSteps {
		return false
	}
	r.livelock = r.newest < r.from+recurringSteps && s.Step-s.progress >= s.livelockSteps()
	for _, other := range s.tasks {
		if continues := other.place >= 0 || other.Spinning || other.real.parked && other.real.reason == sleeping; continues && other.moved < r.from {
			r.livelock = false
		}
	}
	if !r.livelock {
		r.end()
	}
	return r.livelock
}

// seesWork counts the state of t, which is at a point, to find whether it works.
//
//go:norace
func (s *runtimeTasks) seesWork(t *task, known bool) {
	r, j := &s.recurrence, &t.real.judged
	if j.from != r.from {
		*j = judged{from: r.from}
	}
	if j.states++; !known {
		j.fresh++
	}
	works := j.states >= judgingStates && j.fresh >= j.states/2
	if n := s.Step - r.from; works || n >= mostJudging || n%judgingStates == 0 && s.allJudged() {
		r.judged, r.works = s.progress+1, works || r.works && r.judged == s.progress+1
		r.looked = s.Step
		r.end()
	}
}

// allJudged reports whether as many states as needed have been seen of all tasks that can continue.
//
//go:norace
func (s *runtimeTasks) allJudged() bool {
	for _, t := range s.Enabled {
		if w := of(t); !w.Pseudo && (w.real.judged.from != s.recurrence.from || w.real.judged.states < judgingStates) {
			return false
		}
	}
	return true
}

// next returns the place of the task whose turn it is during a comparison.
//
//go:norace
func (r *recurrence) next(s *runtimeTasks) int {
	if r.turn == nil || r.turn.place < 0 || s.Step >= r.until {
		draw := splitmix.Mix(uint64(s.Step), uint64(len(s.Enabled)))
		i := int(draw % uint64(len(s.Enabled)))
		if of(s.Enabled[i]).Pseudo {
			if i = (i + 1) % len(s.Enabled); of(s.Enabled[i]).Pseudo {
				return -1
			}
		}
		r.turn, r.until = of(s.Enabled[i]), s.Step+1+int(draw>>32)%mostTurn
		if len(s.Enabled) > 1 {
			s.forced++
		}
	}
	return r.turn.place
}
