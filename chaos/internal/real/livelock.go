package real

import (
	"cmp"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// A loop that only reads, yields, sleeps, locks and unlocks may be work on plain variables, or poll a bounded number
// of times, so no number of steps makes it a livelock. What does is that everything is as it was before. After some
// thousand steps without a change, the states of those tasks that the strategy runs are compared. If few of them are
// new, all tasks that can continue get turns of random lengths, and their states are compared. If no state in the
// second half of that is new, and a 64th of the limit has passed without a change, a proof follows: the tasks have
// turns in a circle, and all that they can use is compared as a whole.
//
// A state is a hash of what a task can use next, nearby (see Runtime.State): a loop that counts comes to new ones, but
// not if it counts in a package-level variable. The whole is all of the memory (see Runtime.Whole). If it is what it
// was, every task that can continue has had a turn meanwhile, and none has drawn anything at random, then the loop
// goes on for ever. Nothing is there to end it: goroutines outside wait for others, no timer is pending but those that
// end sleeps, no task asks for the time, and those that sleep wake and sleep again, too, as soon as all others have
// come back to what was.

const (
	suspectShare = 64
	// suspectSteps is how many steps without a change are too few for any suspicion.
	suspectSteps = 1 << 14
	// familiarSteps is for how many steps the states of the tasks that the strategy runs are recorded, and
	// then for how many most of them must not be new: otherwise the tasks work, and no other gets a turn.
	familiarSteps = 1 << 10
	// judgingStates is the least number of states by which a task is judged to work: if half of them are new.
	// mostJudging bounds the steps that this takes.
	judgingStates = 1 << 6
	mostJudging   = 1 << 12
	// Tasks whose new states are fewer than a newShare-th of the steps seem to spin: one that
	// works comes to a new state in each.
	newShare = 4
	// recurringSteps is for how many steps states are recorded, and then for how many none must
	// be new.
	recurringSteps = 1 << 12
	// mostTurn bounds the steps of a turn.
	mostTurn = 64
	// The whole, of wholeWords words at most, is compared when one task is in one state nearby, mostReturns times
	// for each task that can continue. If that state is not seen again in newAnchor steps, another one is taken.
	mostReturns = 16
	wholeWords  = 1 << 20
	newAnchor   = 1 << 10
	// A proof takes provingSteps at most, and is looked at every provingEvery.
	provingEvery = 1 << 8
	provingSteps = 1 << 16
	// sleeping is the reason for which a task that sleeps has parked.
	sleeping = "sleep"
)

// recurrence holds what an execution knows of a loop of all tasks that can continue.
type recurrence struct {
	suspect  int // steps without a change after which a loop is suspected next; 0 if undecided
	from     int // the step in which the comparison began; 0 if there is none
	looks    int // timeLooks then
	newest   int // the step of the last new state
	states   map[uint64]struct{}
	turns    bool // all tasks that can continue get turns, as the ones that the strategy runs seem to spin
	fresh    int  // new states in the second half of the steps before that
	turn     *core.Task
	until    int // the step in which the turn ends
	livelock bool
	judging  bool // the comparison is to find no more than whether they work
	judged   int  // the last step that changed something when that was found, plus 1
	looked   int  // the step in which that was found
	works    bool // most states of a task were new
	proof    proof
}

// passed holds when time last passed because all tasks that can continue only yield.
type passed struct {
	step    int
	changed int // the last step that can have changed something, then
}

// proof is a comparison of the whole.
type proof struct {
	from   int // the step in which it began; 0 if there is none
	draws  int // Runtime.Chance then
	at     *core.Task
	state  uint64 // the state of at, nearby, in which the whole is compared
	moved  int    // the step in which at was last in that state
	looks  int
	seen   map[uint64]look
	proved bool
	waits  bool // all that can still happen is that a sleep ends
	woke   int  // the step in which a sleep last ended
}

// look holds the first and the last step in which a whole was seen.
type look struct{ first, last int }

// suspect begins a comparison if the last n steps have changed nothing and it is time for one, or if it is not
// known whether they are work.
//
//go:norace
func (s *Tasks) suspect(n int) {
	r := &s.recurrence
	if r.suspect == 0 {
		r.suspect = core.FairSteps
	}
	if r.from > 0 {
		return
	}
	least := r.suspect
	if s.Len() == 1 { // there is no other to get a turn
		least = max(least, s.livelockSteps())
	}
	if still := s.Step - s.changedLast(); still >= least && !s.mainEnded && s.externals == 0 && s.words > 0 && s.runtime.OnlySleeps() {
		r.suspect = 2 * least
		r.turns, r.judging, r.looks = false, false, s.timeLooks()
		r.begin(s.Step)
	} else if n >= fewPolls && r.judged != s.Progress+1 {
		s.findWork()
	}
}

// findWorkAgain calls findWork in a round, in which all tasks have turns, if the last comparison is long ago and has
// found no work.
//
//go:norace
func (s *Tasks) findWorkAgain() {
	if r := &s.recurrence; r.from == 0 && !(r.works && r.judged == s.Progress+1) && s.Step >= 2*r.looked {
		s.findWork()
	}
}

// findWork begins a comparison that only finds whether one of the tasks that can continue works.
//
//go:norace
func (s *Tasks) findWork() {
	r := &s.recurrence
	r.turns, r.judging = false, true
	r.begin(s.Step)
}

// livelockSteps returns for how many steps without a change a loop has to come back to its
// states.
//
//go:norace
func (s *Tasks) livelockSteps() int { return max(s.Limit/suspectShare, suspectSteps) }

// mayWork reports whether the tasks have not been seen, since the last step that changed something, to come back
// to earlier states.
//
//go:norace
func (s *Tasks) mayWork() bool {
	r := &s.recurrence
	return r.works || r.judged != s.Progress+1
}

// judged counts the states of a task that were seen in a comparison, and those of them that were new.
type judged struct{ from, states, fresh int }

//go:norace
func (r *recurrence) begin(step int) {
	r.from, r.newest, r.turn, r.fresh = step, step, nil, 0
	r.states = map[uint64]struct{}{}
}

//go:norace
func (r *recurrence) end() { r.from, r.turn, r.turns, r.proof.from = 0, nil, false, 0 }

// changedLast returns the last step that can have changed something, except those after which only time has passed.
//
//go:norace
func (s *Tasks) changedLast() int {
	if s.Progress == s.passed.step {
		return s.passed.changed
	}
	return s.Progress
}

// passes is called when time passes because all tasks that can continue only yield: all begin to wait anew.
//
//go:norace
func (s *Tasks) passes() {
	s.passed.changed = s.changedLast()
	s.Progress, s.passed.step = s.Step, s.Step
}

// timeLooks counts the looks by which a task may learn the time.
//
//go:norace
func (s *Tasks) timeLooks() int { return s.runtime.Looks() + s.runtime.TimerPolls() }

// compare adds the state of t, which is at a point, and reports whether the execution is a livelock. That, and
// whether there are turns, depends on the states; which ones, and for how long, follows from the steps. What
// a preemption leaves on a stack is a new state or two: most have to be new for there to be no turns.
//
//go:norace
func (s *Tasks) compare(t *core.Task) bool {
	r := &s.recurrence
	if s.changedLast() > r.from || !r.judging && s.timeLooks() != r.looks {
		if r.turns { // it was a loop that waited, and there may be another
			r.suspect /= 2
		}
		r.end()
		return false
	}
	switch {
	case r.proof.from == 0:
	case r.judging:
		s.judgeWork(t)
		return false
	default:
		return s.prove(t)
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
			if r.turns = r.fresh < n/newShare; r.turns {
				r.begin(s.Step)
			} else {
				s.judged(true)
			}
		}
		return false
	}
	if s.Step < r.from+2*recurringSteps {
		return false
	}
	if r.newest < r.from+recurringSteps && s.Step-s.changedLast() >= s.livelockSteps() {
		s.beginProof(t, s.state(t))
		return s.prove(t)
	}
	r.end()
	return false
}

// beginProof begins to compare the whole whenever t is in this state.
//
//go:norace
func (s *Tasks) beginProof(t *core.Task, state uint64) {
	draws, dumps := s.runtime.Chance()
	s.recurrence.proof = proof{from: s.Step, woke: s.Step, moved: s.Step, draws: draws + dumps, at: t, state: state, seen: map[uint64]look{}}
}

// prove compares the whole while t is at a point, and reports whether all is as it was before, and every task that can
// continue has had a turn since. It acts on that only at certain steps: an execution that is repeated may see it some
// steps later.
//
//go:norace
func (s *Tasks) prove(t *core.Task) bool {
	p := &s.recurrence.proof
	if s.externals > 0 || s.Step >= p.from+provingSteps {
		s.recurrence.end()
		return false
	}
	if !p.proved && !p.waits {
		before, ends := s.lookAtAll(t)
		if ends {
			s.recurrence.end()
			return false
		}
		if before.first > 0 {
			p.proved = s.allMovedSince(before.first, true)
			p.waits = before.last > p.woke && s.allMovedSince(before.last, false)
		}
	}
	switch {
	case (s.Step-p.from)%provingEvery > 0:
	case p.proved:
		s.recurrence.livelock = s.runtime.Idle()
		if !s.recurrence.livelock {
			s.recurrence.end()
		}
		return s.recurrence.livelock
	case p.waits:
		p.waits, p.woke = false, s.Step
		if _, pending := s.runtime.NextTimer(); pending && s.runtime.OnlySleeps() {
			s.Forced++
			s.fireDue()
		}
	}
	return false
}

// lookAtAll compares the whole if t, which is at a point, is the task and in the state for that. before holds the
// steps in which it was the same as now, if it ever was. ends: the whole was compared often enough, or cannot be.
//
//go:norace
func (s *Tasks) lookAtAll(t *core.Task) (before look, ends bool) {
	p := &s.recurrence.proof
	if draws, dumps := s.runtime.Chance(); draws+dumps != p.draws {
		return before, true
	}
	if t != p.at {
		return before, s.Step >= p.moved+2*newAnchor
	}
	if state := s.state(t); state != p.state {
		if s.Step < p.moved+newAnchor {
			return before, false
		}
		p.state = state
	}
	p.moved = s.Step
	now, known := s.whole(t)
	p.looks++
	before = p.seen[now]
	p.seen[now] = look{first: cmp.Or(before.first, s.Step), last: s.Step}
	return before, !known || p.looks > mostReturns*s.Contenders()
}

// allMovedSince reports whether all tasks that could continue at some time since that step have done so, with sleepers
// also those that sleep.
//
//go:norace
func (s *Tasks) allMovedSince(step int, sleepers bool) bool {
	for _, t := range s.tasks {
		could := t.IsEnabled() || t.Spinning || t.EnabledAt() > step || sleepers && of(t).parked && of(t).reason == sleeping
		if could && t.Moved <= step && !t.Ended {
			return false
		}
	}
	return true
}

// seesWork counts the state of t, which is at a point, to find whether it works.
//
//go:norace
func (s *Tasks) seesWork(t *core.Task, known bool) {
	r, j := &s.recurrence, &of(t).judged
	if j.from != r.from {
		*j = judged{from: r.from}
	}
	if j.states++; !known {
		j.fresh++
	}
	works := j.states >= judgingStates && j.fresh >= j.states/2
	if n := s.Step - r.from; works {
		s.judged(true)
	} else if n >= mostJudging || n%judgingStates == 0 && s.allJudged() {
		s.beginProof(t, s.state(t))
	}
}

// judgeWork compares the whole if a comparison only finds whether tasks work, and has seen no new states. They work
// unless all is as it was before.
//
//go:norace
func (s *Tasks) judgeWork(t *core.Task) {
	switch before, ends := s.lookAtAll(t); {
	case ends:
		s.judged(true)
	case before.first > 0:
		s.judged(false)
	}
}

// judged ends a comparison that has found whether tasks work.
//
//go:norace
func (s *Tasks) judged(works bool) {
	r := &s.recurrence
	r.judged, r.works = s.Progress+1, works || r.works && r.judged == s.Progress+1
	r.looked = s.Step
	r.end()
}

// allJudged reports whether as many states as needed have been seen of all tasks that can continue.
//
//go:norace
func (s *Tasks) allJudged() bool {
	for _, other := range s.All() {
		if w := core.TaskOf(other); !w.Pseudo && (of(w).judged.from != s.recurrence.from || of(w).judged.states < judgingStates) {
			return false
		}
	}
	return true
}

// next returns the place of the task whose turn it is during a comparison.
//
//go:norace
func (r *recurrence) next(s *Tasks) int {
	if r.proof.from > 0 {
		return r.nextInProof(s)
	}
	if r.turn == nil || !r.turn.IsEnabled() || s.Step >= r.until {
		draw := splitmix.Mix(uint64(s.Step), uint64(s.Len()))
		i := int(draw % uint64(s.Len()))
		if core.TaskOf(s.At(i)).Pseudo {
			if i = (i + 1) % s.Len(); core.TaskOf(s.At(i)).Pseudo {
				return -1
			}
		}
		r.turn, r.until = core.TaskOf(s.At(i)), s.Step+1+int(draw>>32)%mostTurn
		if s.Len() > 1 {
			s.Forced++
		}
	}
	return s.Index(&r.turn.Task)
}

// nextInProof returns the place of the task that has waited for longest if that is long enough, or if the turn of
// another is over: a lock may be free only while another has its turn.
//
//go:norace
func (r *recurrence) nextInProof(s *Tasks) int {
	var eldest *core.Task
	for _, other := range s.All() {
		if w := core.TaskOf(other); !w.Pseudo && (eldest == nil || w.Moved < eldest.Moved || w.Moved == eldest.Moved && of(w).number < of(eldest).number) {
			eldest = w
		}
	}
	if eldest == nil {
		return -1
	}
	over := r.turn == nil || !r.turn.IsEnabled() || s.Step >= r.until || r.turn.Op.Kind == strategy.Yield
	if over || s.Step-eldest.Moved > 2*briefTurn*len(s.tasks) {
		r.turn, r.until = eldest, s.Step+briefTurn
	}
	return s.Index(&r.turn.Task)
}
