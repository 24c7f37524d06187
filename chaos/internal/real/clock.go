package real

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// The timers of a Runtime are real ones in virtual time. When no task can continue, time jumps to the
// next of them, and all that are due then fire; a clock fires one at a time.

const (
	hour = 3600e9 // in nanoseconds
	// mostFirings bounds the timers that fire in a row and let no task continue.
	mostFirings = 1 << 20
	// slowest is how long, in nanoseconds, early firings may keep tasks waiting where the clock is mixed, all
	// together. No machine is that slow; but what code waits for may be, and a longer time often means never.
	slowest = 10e9
	// hasty is the same for timers that a file of tests arms: a test knows how long it waits, and what it lets
	// others do meanwhile. A loaded machine is as slow as this.
	hasty = 10e6
	// guarding is the same for contexts that a file of tests makes. What such a context limits is not the test's, but
	// one of five seconds or more is there so that the test ends.
	guarding = 4e9
	// stalled is the same for sleeps of other code while the test itself can continue, on its own goroutine or that
	// of a subtest. Neither waits for anything that may be slow, but a machine stands still for as long as this.
	stalled = 500e6
	// mostRounds is how many timers of an execution that would exceed that fire early if they are periodic: a
	// program may do nothing for so long between any two calls, and then one of them comes in the middle.
	mostRounds = 2
	// briefest is how long, in nanoseconds, any machine may keep tasks waiting that can continue, all together: a
	// test that fails by that is wrong, also one that sleeps and then checks. Few sleep for less.
	briefest = 500e3
	// idleFirings is how many early firings may let no task continue, in addition to one for each step of
	// a task: a strategy may prefer the clock, and a periodic timer fires for ever.
	idleFirings = 1024
)

//go:norace
func (s *Tasks) updateClock() {
	at, pending := s.runtime.NextTimer()
	may := pending && s.mayAdvance()
	if may && s.idle < idleFirings+s.Step-s.Early && (s.ClockMode != core.Mixed || s.mayFire(at)) {
		s.Enable(s.Clock)
		return
	}
	s.Disable(s.Clock)
	if may && s.Len() > 0 {
		s.Lazy = true
	}
}

// mayFire reports whether the next timer may fire early where the clock is mixed. What that does to the verdict
// is for the user of the engine to decide, by Result.Late: see docs/engine.md.
//
//go:norace
func (s *Tasks) mayFire(at int64) bool {
	ahead := at - s.runtime.Now()
	if s.Brief {
		return !s.isLate(at)
	}
	kind, most := s.runtime.NextKind(), int64(slowest)
	switch {
	case (kind == Sleeping || kind == PeriodicSleep) && s.testContinues():
		most = stalled
	case (kind == Periodic || kind == PeriodicSleep) && s.rounds < mostRounds:
		return true
	case kind == OfTest:
		most = hasty
	case kind == OfContext:
		most = guarding
	}
	if s.isWithin(most, ahead) {
		return true
	}
	s.far = s.far || kind == OfTest || ahead > most
	return false
}

// testContinues reports whether a goroutine that runs the test, or a subtest, can continue.
//
//go:norace
func (s *Tasks) testContinues() bool {
	for _, t := range s.tests {
		if t.IsEnabled() {
			return true
		}
	}
	return false
}

// isWithin reports whether tasks have waited for no longer than that, all together, when a timer fires that is
// so far ahead.
//
//go:norace
func (s *Tasks) isWithin(most, ahead int64) bool { return s.kept-s.apart+ahead <= most }

// isLate reports whether early firings will have kept tasks waiting for longer than briefest, all together,
// when a timer fires at that time.
//
//go:norace
func (s *Tasks) isLate(at int64) bool { return s.kept+at-s.runtime.Now() > briefest }

// mayAdvance reports whether time may still pass.
//
//go:norace
func (s *Tasks) mayAdvance() bool {
	if !s.mainEnded {
		return true
	}
	at, pending := s.runtime.NextTimer()
	after := at - s.ended
	return pending && (after <= timeBeyond || after <= timeToEnd && !s.allowLeaks && s.Alive > 0)
}

// StepPseudo makes a step of the clock.
//
//go:norace
func (s *Tasks) StepPseudo(*core.Task) {
	at, _ := s.runtime.NextTimer()
	if s.isLate(at) || s.hasHurried(at) {
		s.Late++
	}
	ahead := max(0, at-s.runtime.Now())
	if !s.isWithin(slowest, ahead) {
		s.apart += ahead
		s.rounds++
	}
	s.kept += ahead
	enabled := s.Len()
	if s.fire(); s.Len() == enabled {
		s.idle++
	}
	if s.Observed && s.Step > s.Known {
		s.Events = append(s.Events, strategy.Event{Task: &s.Clock.Task, Op: strategy.Op{Kind: strategy.Clock}})
	}
}

//go:norace
func (s *Tasks) fire() {
	at, _ := s.runtime.NextTimer()
	s.Hash = splitmix.Mix(s.Hash, uint64(at))
	s.firing = true
	s.runtime.Fire()
	s.firing = false
	s.Firings, s.FiredAt = s.Firings+1, s.Step
	s.movedClock()
	if s.Tracing {
		s.traceFired()
	}
}

// Time stands still while a task can continue; but a task may poll, and what it polls for may be a timer's to do. The
// engine recognises a loop that only reads; one that locks as well may be work. So after many steps in a row that only
// read, yielded, slept, locked and unlocked, each of them takes time: as little as it would take on a machine, so that
// a time-out is not hit while tasks work under locks. If they are seen to come back to earlier states, it is more, the
// longer that goes on; else it is as little up to half of the limit, and then more, but a timer that fires then is
// early.
const (
	pollEvery = 257    // steps: odd, so that a loop is not always stopped at the same place
	fewPolls  = 10_000 // steps that take as little whatever they do
	// workSteps is the number of steps of an execution after which all take time, whatever they change: a test may
	// work until some time has passed.
	workSteps = 1 << 20
)

const (
	// workTime is the longest time, in nanoseconds, that a step takes in a loop that works and changes
	// nothing.
	workTime = 100
	// quickShare is the share of the limit of steps for which it takes no longer here. Further steps take hurriedTime: a timer
	// that fires then is early.
	quickShare  = 2
	hurriedTime = 2e3
)

// stepTime is how long a step takes, in nanoseconds, after n that changed nothing.
//
//go:norace
func (s *Tasks) stepTime(n int) int64 {
	if n < fewPolls {
		return 1e3
	}
	switch work := s.mayWork(); {
	case work && n < s.MaxSteps/quickShare:
		return workTime
	case work:
		return hurriedTime
	case n < 100_000:
		return 10e3
	}
	return 100e3
}

// pollTime makes time pass if the last steps changed nothing, or if there were very many.
//
//go:norace
func (s *Tasks) pollTime() {
	if s.Stopping || s.watchOwners(0) {
		s.polls = s.Step + pollEvery
		return
	}
	if w := &s.owners; w.from > 0 && s.Step-w.from >= standingSteps && !s.mainEnded {
		s.polls = s.Step + standingPolls
		s.stands()
		return
	}
	n := s.Step - s.Progress
	polled := n >= pollEvery
	if !polled && s.Step < workSteps {
		s.polls = s.Progress + pollEvery
		return
	}
	s.polls = s.Step + pollEvery
	if polled {
		s.suspect(n)
	}
	if s.mainEnded && !s.mayAdvance() {
		return
	}
	s.beginWork()
	before, ns := s.runtime.Now(), pollEvery*s.stepTime(n)
	if s.keepsPace(false) {
		return
	}
	at, _ := s.runtime.NextTimer()
	hurried := s.hasHurried(at)
	if s.letPass(ns) && hurried {
		s.Late++
	}
	s.owners.worked += s.runtime.Now() - before
	if polled {
		s.ResumeSpinners() // they may be in bounded loops, for whose end the current task polls
	}
}

// hasHurried reports whether the steps of a loop that may work have taken longer than on a machine, if a timer fires now that
// is due at that time.
//
//go:norace
func (s *Tasks) hasHurried(at int64) bool {
	return s.Step-s.Progress >= s.MaxSteps/quickShare && s.mayWork() && at > s.worked()
}

// Look reports whether the root is to decide: no task can continue, and this is the stack of a
// task.
//
//go:norace
func (s *Tasks) Look() bool {
	if s.Stopping {
		return true
	}
	if s.Clock != nil {
		s.updateClock()
	}
	return !s.atRoot && s.NoneEnabled()
}

//go:norace
func (s *Tasks) Ends() bool {
	switch {
	case s.Alive == 0 && (!s.mainEnded || !s.mayAdvance()):
		return true
	case !s.NoneEnabled():
		return false
	}
	advanced := s.advance()
	if s.Clock != nil { // the last timer may have fired
		s.updateClock()
	}
	return !advanced
}

// advance is called on the root when no task is enabled. It reports whether one is then.
//
//go:norace
func (s *Tasks) advance() bool {
	s.Idles++
	if s.recheckLocks() {
		return true
	}
	if s.externals > 0 && s.awaitNetwork() {
		return true
	}
	mayWork := false
	if len(s.Spinners) > 0 {
		if s.runSpinnersOn() {
			return true
		}
		if mayWork = s.mayWorkOn(); s.passTime() {
			s.passedFor(mayWork)
			return true
		}
	}
	for i := 0; ; i++ {
		if i == mostFirings {
			s.Forced++
			break
		}
		at, pending := s.runtime.NextTimer()
		if !pending && (s.awaitBusy(s.runtime.Now()) || s.fireLateOutside()) {
			return true
		}
		if !pending || !s.mayAdvance() {
			break
		}
		if at > s.checks && !s.mainEnded {
			s.checks = 2 * at
			if s.findLost() {
				return false
			}
		}
		if s.watchOwners(at - s.runtime.Now()) {
			return false
		}
		if s.awaitBusy(at) || s.fireOutside(at) || s.awaitChildren() {
			return true
		}
		s.fireDue()
		s.passedFor(mayWork)
		if !s.NoneEnabled() {
			return true
		}
	}
	if s.Alive == 0 {
		return false
	}
	if s.ResumeSpinners() {
		return true
	}
	return s.awaitOutside()
}

// letPass moves the time by that many nanoseconds, or to the next timer if that is due by then, which has fired.
//
//go:norace
func (s *Tasks) letPass(ns int64) (fired bool) {
	if at, pending := s.runtime.NextTimer(); pending && at <= s.runtime.Now()+ns && s.mayAdvance() {
		if !s.NoneEnabled() {
			s.Forced++
		}
		s.fireDue()
		return true
	}
	s.runtime.Skip(ns)
	s.movedClock()
	return false
}

// fireDue fires the next timer, and those of the same time.
//
//go:norace
func (s *Tasks) fireDue() {
	for {
		s.fire()
		if at, pending := s.runtime.NextTimer(); !pending || at > s.runtime.Now() {
			return
		}
	}
}

// recheckLocks rechecks all locks that tasks wait for: one may have been unlocked without a point.
//
//go:norace
func (s *Tasks) recheckLocks() bool {
	for _, t := range s.awaiting {
		if canLock(t) {
			s.Enable(t)
		}
	}
	return !s.NoneEnabled()
}
