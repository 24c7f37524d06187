package control

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A task that repeats itself may be in an endless loop, which only a write by another task ends,
// or in a bounded one: what it does after its last round must be explored against everything
// else. Reads do not distinguish the two, since the engine does not see a task's own variables.
// But repetitions commute with everything that writes none of the objects read. So it does not
// matter where in between the other tasks run, and a repeating task has two ways to continue: it
// is held back until an object is written, or runs alone until it does something else.

// reads holds what a task has read since it last learnt or did something: each object, as of its
// last write. Reading one of them again is a repetition.
type reads struct {
	seen    [maxReads]seen
	n       int
	repeats int
	steps   int               // that it has run alone
	asked   strategy.Question // the last question that was asked about the loop
	solo    bool              // whether the answer was that it runs alone
	stop    int               // repeats after which it is held back all the same; 0 if none
	long    int               // steps for which it runs on alone, if very many; else 0
	endless bool              // it has run alone for as long as it may
}

type seen struct {
	object *object
	writes uint64
	failed bool // the last attempt at it (a compare-and-swap, a TryLock, a poll) failed
}

const (
	// exploredRepeats is how many repetitions only a loop makes: up to here, all interleavings
	// are explored.
	exploredRepeats = 12
	// maxRounds bounds how long a task runs alone, in rounds of its loop: polls of bounded loops
	// are tens (a pool's rounds until it sleeps) or hundreds, and people write 1,000.
	maxRounds = 1024
	// stepsPerRead bounds it for loops that do more than read: yields, hook points.
	stepsPerRead = 4
	// mostAlone is how many steps a task makes alone if the strategy lets it run on for longest (see strategy.RunOn),
	// and all such tasks together.
	mostAlone = 1 << 18
	// fairSteps is the least number of steps in which a task could continue before it gets a turn, and the
	// number of steps between two looks for such tasks: a prime, so that it is not always a loop's lock
	// that it waits for.
	fairSteps = 4099
	// mostPatience is the number of such steps after which it gets one at the latest.
	mostPatience = 1 << 19
	// maxReads bounds the loops that are recognised: objects read per round.
	maxReads = 64
)

// forcesAfter returns the number of steps of waiting after which the first turn is forced in an
// execution with that limit.
func forcesAfter(limit int) int { return min(max(limit/2, fairSteps), mostPatience) }

//go:norace
func (r *reads) forget() {
	r.n, r.asked, r.endless = 0, 0, false
	r.again(false)
}

// again restarts the count of repetitions; alone is whether the task runs alone.
//
//go:norace
func (r *reads) again(alone bool) { r.repeats, r.steps, r.solo, r.stop, r.long = 0, 0, alone, 0, 0 }

// read records a read, or an attempt that failed, and reports whether the task repeats itself:
// it has read as much again as it read.
//
//go:norace
func (r *reads) read(o *object, attempt bool) bool {
	for i := range r.seen[:r.n] {
		s := &r.seen[i]
		if s.object == o {
			if s.writes != o.writes {
				r.forget()
				break
			}
			s.failed = s.failed || attempt
			r.repeats++
			return r.repeats >= max(r.n, 2)
		}
	}
	if r.n == maxReads {
		r.forget()
	}
	r.seen[r.n] = seen{o, o.writes, attempt}
	r.n++
	return false
}

// repeatsRead reports whether another read of o, or another attempt at it, is a repetition.
//
//go:norace
func (r *reads) repeatsRead(o *object, attempt bool) bool {
	for i := range r.seen[:r.n] {
		if s := &r.seen[i]; s.object == o {
			return s.writes == o.writes && (s.failed || !attempt)
		}
	}
	return false
}

// stale reports whether something that was read has been written.
//
//go:norace
func (r *reads) stale() bool {
	for i := range r.seen[:r.n] {
		if r.seen[i].object.writes != r.seen[i].writes {
			return true
		}
	}
	return false
}

// repeats reports whether what t is about to do repeats what it has done.
//
//go:norace
func (e *engine) repeats(t *task) bool {
	switch t.Op.Kind {
	case strategy.Yield, strategy.Point:
		return true
	case strategy.Load:
		return t.spin.repeatsRead(t.object, false)
	case strategy.CAS, strategy.TryLock, strategy.TryRLock:
		return t.spin.repeatsRead(t.object, true)
	case strategy.Select:
		return t.hasDefault && (t.object == nil || e.front.repeatsPoll(t))
	}
	return false
}

// settleSpinner decides how t, which has repeated itself, continues. It returns true if t runs
// alone, without a choice. Otherwise t may have been held back: disabled until another task
// writes what it reads.
//
//go:norace
func (e *engine) settleSpinner(t *task) bool {
	if t.place < 0 || !e.repeats(t) {
		t.repeating = false
		return false
	}
	r := t.spin
	if r.stale() { // this includes what it read before the loop: it has to repeat itself anew
		t.repeating = false
		r.forget()
		return false
	}
	if e.roundLeft > 0 { // no task is held back or runs alone
		return false
	}
	stops := r.stop > 0 && r.repeats >= r.stop // it has run alone for as long as was chosen
	endless := r.repeats >= maxRounds*r.n || r.steps >= stepsPerRead*maxRounds*r.n
	if r.long > 0 {
		if e.alone--; e.alone >= 0 { // else it is like any other task: others have used up the steps
			endless = r.steps >= min(r.long, forcesAfter(e.maxSteps))
		}
	}
	if r.solo && !stops && (!endless || e.front.runsOn(t)) {
		return true
	}
	loop := r.solo || r.repeats >= max(2*r.n, e.exploredRepeats)
	others := e.contenders() > 1 || len(e.spinners) > 0 || e.front.timerPending() // some modes have no clock
	switch {
	case r.solo && stops:
	case r.solo: // the strategy is not asked about it any more
		t.endless, t.spin.endless = true, true
	case !others || t.endless || e.spins > 0 || e.soloSteps >= e.maxSteps:
	case loop:
		if r.asked < strategy.HoldOrRunOn && e.runAlone(t, strategy.HoldOrRunOn) {
			e.collapsed++
			return true
		}
	case r.asked < strategy.RunOn:
		return e.runAlone(t, strategy.RunOn)
	}
	if !loop {
		return false
	}
	if others {
		e.collapsed++
	}
	e.front.readsTime(t)
	t.Spinning = true
	e.disable(t)
	e.spinners = append(e.spinners, t)
	return false
}

// runAlone asks the strategy whether t is to run alone.
//
//go:norace
func (e *engine) runAlone(t *task, asks strategy.Question) bool {
	r := t.spin
	e.Asks, r.asked = asks, asks
	stops, longer := 2, 1
	if asks == strategy.RunOn {
		stops, longer = strategy.RunOnStops, strategy.RunOnLengths
	}
	if !e.runsLong { // only code without hooks may read for long; see runtime_fair.go
		longer = 0
	}
	n := e.pick(stops + longer)
	e.Asks = strategy.Outcome
	r.solo = n > 0
	if n >= stops {
		r.long = mostAlone >> (n - stops)
	} else if r.long = 0; n > 1 {
		r.stop = r.repeats + n - 1
	}
	if r.solo {
		e.front.runsAlone(t)
	}
	if r.solo && e.observer != nil {
		for i := range r.seen[:r.n] { // once, and not at each repetition
			e.queueEvent(t, strategy.Load, r.seen[i].object)
		}
	}
	return r.solo
}

// recheckSpinners enables, after a write, the held-back tasks that had read what was written.
//
//go:norace
func (e *engine) recheckSpinners() {
	kept := 0
	for _, t := range e.spinners {
		if t.ended {
			continue
		}
		if t.spin.stale() {
			t.Spinning, t.repeating, t.continues = false, false, e.Step
			t.spin.forget()
			e.enable(t)
			continue
		}
		e.spinners[kept] = t
		kept++
	}
	e.spinners = e.spinners[:kept]
}

// resumeSpinners lets all tasks that are held back continue, since there is no other task: each
// may be in a bounded loop. It returns false if there are none, or if this has happened too often
// since the last write, which is a livelock. (With a Runtime a livelock has to be proved, so
// there is no bound.)
//
//go:norace
func (e *engine) resumeSpinners() bool {
	if len(e.spinners) == 0 {
		return false
	}
	if e.spins++; e.spins > e.maxSpins {
		e.fail(verdict.Livelock, fmt.Sprintf("%d tasks only repeat themselves", len(e.spinners)), "")
		return false
	}
	for _, t := range e.spinners {
		t.Spinning = false
		t.spin.again(false)
		e.enable(t)
	}
	e.spinners = e.spinners[:0]
	return true
}

// contenders returns the number of tasks that can continue or are held back, without the clock;
// at least 1.
//
//go:norace
func (e *engine) contenders() int {
	n := len(e.Enabled) + len(e.spinners)
	if e.clock != nil && e.clock.place >= 0 {
		n--
	}
	return max(n, 1)
}
