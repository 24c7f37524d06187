package core

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
	N       int
	Repeats int
	Steps   int               // that it has run alone
	asked   strategy.Question // the last question that was asked about the loop
	Solo    bool              // whether the answer was that it runs alone
	stop    int               // repeats after which it is held back all the same; 0 if none
	Long    int               // steps for which it runs on alone, if very many; else 0
	Endless bool              // it has run alone for as long as it may
}

type seen struct {
	object *Object
	writes uint64
	failed bool // the last attempt at it (a compare-and-swap, a TryLock, a poll) failed
}

const (
	// ExploredRepeats is how many repetitions only a loop makes: up to here, all interleavings
	// are explored.
	ExploredRepeats = 12
	// maxRounds bounds how long a task runs alone, in rounds of its loop: polls of bounded loops
	// are tens (a pool's rounds until it sleeps) or hundreds, and people write 1,000.
	maxRounds = 1024
	// stepsPerRead bounds it for loops that do more than read: yields, hook points.
	stepsPerRead = 4
	// MostAlone is how many steps a task makes alone if the strategy lets it run on for longest (see strategy.RunOn),
	// and all such tasks together.
	MostAlone = 1 << 18
	// FairSteps is the least number of steps in which a task could continue before it gets a turn, and the
	// number of steps between two looks for such tasks: a prime, so that it is not always a loop's lock
	// that it waits for.
	FairSteps = 4099
	// mostPatience is the number of such steps after which it gets one at the latest.
	mostPatience = 1 << 19
	// maxReads bounds the loops that are recognised: objects read per round.
	maxReads = 64
)

// ForcesAfter returns the number of steps of waiting after which the first turn is forced in an
// execution with that limit.
func ForcesAfter(limit int) int { return min(max(limit/2, FairSteps), mostPatience) }

// Forget forgets what has been read, and the repetitions.
//
//go:norace
func (r *reads) Forget() {
	r.N, r.asked, r.Endless = 0, 0, false
	r.Again(false)
}

// Again restarts the count of repetitions; alone is whether the task runs alone.
//
//go:norace
func (r *reads) Again(alone bool) { r.Repeats, r.Steps, r.Solo, r.stop, r.Long = 0, 0, alone, 0, 0 }

// Read records a read, or an attempt that failed, and reports whether the task repeats itself:
// it has read as much again as it read.
//
//go:norace
func (r *reads) Read(o *Object, attempt bool) bool {
	for i := range r.seen[:r.N] {
		s := &r.seen[i]
		if s.object == o {
			if s.writes != o.Writes {
				r.Forget()
				break
			}
			s.failed = s.failed || attempt
			r.Repeats++
			return r.Repeats >= max(r.N, 2)
		}
	}
	if r.N == maxReads {
		r.Forget()
	}
	r.seen[r.N] = seen{o, o.Writes, attempt}
	r.N++
	return false
}

// RepeatsRead reports whether another read of o, or another attempt at it, is a repetition.
//
//go:norace
func (r *reads) RepeatsRead(o *Object, attempt bool) bool {
	for i := range r.seen[:r.N] {
		if s := &r.seen[i]; s.object == o {
			return s.writes == o.Writes && (s.failed || !attempt)
		}
	}
	return false
}

// stale reports whether something that was read has been written.
//
//go:norace
func (r *reads) stale() bool {
	for i := range r.seen[:r.N] {
		if r.seen[i].object.Writes != r.seen[i].writes {
			return true
		}
	}
	return false
}

// repeats reports whether what t is about to do repeats what it has done.
//
//go:norace
func (e *Engine) repeats(t *Task) bool {
	switch t.Op.Kind {
	case strategy.Yield, strategy.Point:
		return true
	case strategy.Load:
		return t.Spin.RepeatsRead(t.Object, false)
	case strategy.CAS, strategy.TryLock, strategy.TryRLock:
		return t.Spin.RepeatsRead(t.Object, true)
	case strategy.Select:
		return t.HasDefault && (t.Object == nil || e.Front.RepeatsPoll(t))
	}
	return false
}

// settleSpinner decides how t, which has repeated itself, continues. It returns true if t runs
// alone, without a choice. Otherwise t may have been held back: disabled until another task
// writes what it reads.
//
//go:norace
func (e *Engine) settleSpinner(t *Task) bool {
	if t.Place < 0 || !e.repeats(t) {
		t.Repeating = false
		return false
	}
	r := t.Spin
	if r.stale() { // this includes what it read before the loop: it has to repeat itself anew
		t.Repeating = false
		r.Forget()
		return false
	}
	if e.RoundLeft > 0 { // no task is held back or runs alone
		return false
	}
	stops := r.stop > 0 && r.Repeats >= r.stop // it has run alone for as long as was chosen
	endless := r.Repeats >= maxRounds*r.N || r.Steps >= stepsPerRead*maxRounds*r.N
	if r.Long > 0 {
		if e.Alone--; e.Alone >= 0 { // else it is like any other task: others have used up the steps
			endless = r.Steps >= min(r.Long, ForcesAfter(e.MaxSteps))
		}
	}
	if r.Solo && !stops && (!endless || e.Front.RunsOn(t)) {
		return true
	}
	loop := r.Solo || r.Repeats >= max(2*r.N, e.ExploredRepeats)
	others := e.Contenders() > 1 || len(e.Spinners) > 0 || e.Front.TimerPending() // some modes have no clock
	switch {
	case r.Solo && stops:
	case r.Solo: // the strategy is not asked about it any more
		t.endless, t.Spin.Endless = true, true
	case !others || t.endless || e.spins > 0 || e.SoloSteps >= e.MaxSteps:
	case loop:
		if r.asked < strategy.HoldOrRunOn && e.runAlone(t, strategy.HoldOrRunOn) {
			e.Collapsed++
			return true
		}
	case r.asked < strategy.RunOn:
		return e.runAlone(t, strategy.RunOn)
	}
	if !loop {
		return false
	}
	if others {
		e.Collapsed++
	}
	e.Front.ReadsTime(t)
	t.Spinning = true
	e.Disable(t)
	e.Spinners = append(e.Spinners, t)
	return false
}

// runAlone asks the strategy whether t is to run alone.
//
//go:norace
func (e *Engine) runAlone(t *Task, asks strategy.Question) bool {
	r := t.Spin
	e.Asks, r.asked = asks, asks
	stops, longer := 2, 1
	if asks == strategy.RunOn {
		stops, longer = strategy.RunOnStops, strategy.RunOnLengths
	}
	if !e.RunsLong { // only code without hooks may read for long
		longer = 0
	}
	n := e.PickAmong(stops + longer)
	e.Asks = strategy.Outcome
	r.Solo = n > 0
	if n >= stops {
		r.Long = MostAlone >> (n - stops)
	} else if r.Long = 0; n > 1 {
		r.stop = r.Repeats + n - 1
	}
	if r.Solo {
		e.Front.RunsAlone(t)
	}
	if r.Solo && e.Observed {
		for i := range r.seen[:r.N] { // once, and not at each repetition
			e.queueEvent(t, strategy.Load, r.seen[i].object)
		}
	}
	return r.Solo
}

// RecheckSpinners enables, after a write, the held-back tasks that had read what was written.
//
//go:norace
func (e *Engine) RecheckSpinners() {
	kept := 0
	for _, t := range e.Spinners {
		if t.Ended {
			continue
		}
		if t.Spin.stale() {
			t.Spinning, t.Repeating, t.Continues = false, false, e.Step
			t.Spin.Forget()
			e.Enable(t)
			continue
		}
		e.Spinners[kept] = t
		kept++
	}
	e.Spinners = e.Spinners[:kept]
}

// ResumeSpinners lets all tasks that are held back continue, since there is no other task: each
// may be in a bounded loop. It returns false if there are none, or if this has happened too often
// since the last write, which is a livelock. (With a Runtime a livelock has to be proved, so
// there is no bound.)
//
//go:norace
func (e *Engine) ResumeSpinners() bool {
	if len(e.Spinners) == 0 {
		return false
	}
	if e.spins++; e.spins > e.MaxSpins {
		e.FailWith(verdict.Livelock, fmt.Sprintf("%d tasks only repeat themselves", len(e.Spinners)), "")
		return false
	}
	for _, t := range e.Spinners {
		t.Spinning = false
		t.Spin.Again(false)
		e.Enable(t)
	}
	e.Spinners = e.Spinners[:0]
	return true
}

// Contenders returns the number of tasks that can continue or are held back, without the clock;
// at least 1.
//
//go:norace
func (e *Engine) Contenders() int {
	n := e.Len() + len(e.Spinners)
	if e.Clock != nil && e.Clock.Place >= 0 {
		n--
	}
	return max(n, 1)
}
