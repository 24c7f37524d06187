package control

// Time passes for loops that wait, although the tasks share one processor: on a machine those that work would have
// had another one meanwhile. So what can continue keeps pace. When some time has passed, a task that has made few of
// the steps catches up: it has a turn for as many as the others have made, each, in which no time passes. Otherwise
// a time-out would be hit while a task is about to do what the loop waits for, by no fault of its own: strategies need
// not be fair, and a loop that polls takes most of the steps.

const (
	// mostLate is how late virtual time may make a task that can continue, in nanoseconds: what a loaded machine
	// does.
	mostLate = 10e6
	// mostBehind bounds the steps of a turn in which a task catches up.
	mostBehind = 1 << 16
)

// lateness is a step, the time then, and how many steps had been made in turns.
type lateness struct {
	step, turns int
	time        int64
	crowd       bool // one of those has caught up since then that one task had crowded out
}

// made counts the steps since then that were made in no turn.
//
//go:norace
func (s *runtimeTasks) made() int {
	from := &s.lateness
	return s.Step - from.step - (s.fair.steps - from.turns)
}

// pace is how many steps of the task there were at the step at which lateness was noted last, if it could continue.
type pace struct{ step, ops int }

// delayed returns a task that could have continued for mostLate, and has made few steps in that time, if one could
// notice that more time passes: tasks have armed timers, of which those that no task waits for are not pending, or
// have asked for the time. One that is held back may be in a bounded loop.
//
//go:norace
func (s *runtimeTasks) delayed(now int64) *task {
	if now-s.lateness.time <= mostLate {
		return nil
	}
	if t := s.behind(); t != nil {
		armed, slept := s.runtime.Armed()
		if _, pending := s.runtime.NextTimer(); pending || armed+slept+s.timeLooks() > 0 {
			return t
		}
		return nil
	}
	s.lateness = lateness{step: s.Step, turns: s.fair.steps, time: now}
	for _, t := range s.Enabled {
		of(t).real.pace = pace{s.Step, of(t).Ops}
	}
	for _, t := range s.spinners {
		t.real.pace = pace{s.Step, t.Ops}
	}
	return nil
}

// behind returns a task that could have continued for most of the time since lateness was noted last, has had no turn
// since then, and has made less than half of the steps that would be its share.
//
//go:norace
func (s *runtimeTasks) behind() *task {
	least := s.made() / (2 * s.contenders())
	for _, t := range s.Enabled {
		if t := of(t); !t.Pseudo && s.isBehind(t, least) {
			return t
		}
	}
	for _, t := range s.spinners {
		if s.isBehind(t, least) {
			return t
		}
	}
	if s.lateness.crowd {
		return nil
	}
	s.lateness.crowd = true
	return s.crowdedOut()
}

// crowdedOut returns a task that can continue if the current one has made nearly all steps since lateness was noted
// last: others may be at work in turn, each of which has not waited for long.
//
//go:norace
func (s *runtimeTasks) crowdedOut() *task {
	cur := s.current()
	if cur == nil || cur.real.pace.step != s.lateness.step || 4*(cur.Ops-cur.real.pace.ops) < 3*s.made() {
		return nil
	}
	var first *task
	for _, t := range s.Enabled {
		if w := of(t); !w.Pseudo && w != cur && (first == nil || w.real.number < first.real.number) {
			first = w
		}
	}
	return first
}

//go:norace
func (s *runtimeTasks) isBehind(t *task, least int) bool {
	h, step := &t.real, s.lateness.step
	if h.caughtUp > step || s.Step-h.continues < (s.Step-step)/2 {
		return false
	}
	return h.pace.step != step || t.Ops-h.pace.ops < least
}

// contenders is how many tasks can continue, those included that are held back; 1 at least.
//
//go:norace
func (s *runtimeTasks) contenders() int { return max(len(s.Enabled)+len(s.spinners), 1) }

// catchUp gives a turn to t, for as many steps as the others have made in the meantime, each: on a machine it would
// have had as long as they have.
//
//go:norace
func (s *runtimeTasks) catchUp(t *task) {
	steps := min(max(s.made()/max(1, s.contenders()-1), turnSteps), mostBehind)
	if t.Spinning {
		remove(&s.spinners, t)
		s.runOnAlone(t)
	}
	s.turn(t, steps)
	t.real.caughtUp = s.Step + 1
	if steps > judgingStates && s.recurrence.from == 0 && s.Step >= 2*t.real.judged.from {
		s.findWork()
	}
}
