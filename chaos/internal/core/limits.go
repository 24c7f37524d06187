package core

import (
	"fmt"
	"strconv"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// changesNothing holds the operations, besides reads, after which everything may be as it was
// before. A loop of nothing else makes no progress, unless it changes plain variables under its
// locks.
var changesNothing = [256]bool{
	strategy.Yield: true, strategy.Point: true, strategy.Load: true, strategy.Select: true, strategy.Sleep: true,
	strategy.Lock: true, strategy.TryLock: true, strategy.Unlock: true,
	strategy.SyscallRead: true,
	strategy.RLock:       true, strategy.TryRLock: true, strategy.RUnlock: true, strategy.Drain: true,
}

// WallSteps is the number of steps between two looks at the wall clock, and between two turns of what is outside:
// tasks may go on for ever until it has done something.
const WallSteps = 1 << 10

// pastDeadline reports whether the execution has taken longer than Within. If not, what is
// outside gets a turn.
//
//go:norace
func (e *Engine) pastDeadline() bool {
	if e.stepped != nil {
		e.stepped()
	}
	if !e.asksRoot {
		e.FlushEvents() // where there is no choice, nothing else does
	}
	if e.expired = e.Within > 0 && e.Front.Lasted() > e.Within; !e.expired {
		e.Front.LetOthersRun()
	}
	return e.expired
}

// Cut ends an execution that is too long. It is a livelock if half of its steps made no progress, and not
// if fewer did: a loop under a lock may be work. The front end may want more: with a Runtime, a livelock
// has to be proved.
//
//go:norace
func (e *Engine) Cut() {
	if !e.Front.Cut() {
		e.CutNow()
	}
}

// CutNow is Cut, and does not ask the front end for a better verdict.
//
//go:norace
func (e *Engine) CutNow() {
	o := &e.Outcome
	o.Cut, o.expired, o.steps = true, e.expired, e.Step
	v, livelock := verdict.Timeout, false
	if o.recurring, livelock = e.Front.Recurring(); livelock {
		v = verdict.Livelock
	}
	e.FailWith(v, "", "")
}

// summarizeCut describes in one line which tasks still made steps when the execution was cut.
func summarizeCut(o Outcome) string {
	what := fmt.Sprintf("not done after %d steps", o.steps)
	if o.expired {
		what = fmt.Sprintf("cut by the wall clock after %d steps", o.steps)
	}
	last := "half"
	switch {
	case o.recurring > 0:
		last = strconv.Itoa(o.recurring)
		what += ", and in the last " + last + " of them all tasks came to the same states again and again"
	case o.Verdict == verdict.Livelock:
		what += ", and the last half of them only read, yielded, slept, locked and unlocked"
	}
	waiting := 0
	sep := "; still running: "
	for _, s := range o.Tasks {
		if !s.Moved {
			waiting++
			continue
		}
		what += sep + s.Title() + " " + s.Waits + " in " + s.Place()
		sep = "; "
	}
	switch {
	case waiting == 1:
		what += "; 1 other made no step in the last " + last
	case waiting > 1:
		what += fmt.Sprintf("; %d others made no step in the last %s", waiting, last)
	}
	return what
}
