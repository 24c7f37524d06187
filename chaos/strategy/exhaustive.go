package strategy

import (
	"fmt"
	"strings"
)

// An Exhaustive strategy comes to an end: it has then seen all that it promises to
// see, and its Begin returns false. DFS and DPOR return such strategies. They run
// the same prefix of a schedule many times, and panic with a *DivergenceError, from
// Next, Pick or End, if it turns out differently.
type Exhaustive interface {
	Strategy
	// Complete reports whether every schedule has been explored: nothing is left, and
	// nothing was left out.
	Complete() bool
	// Bounded says what the search leaves out, as far as it has come, or "" if that is
	// nothing. When a search has come to its end, and Bounded says "", it is complete.
	Bounded() string
	// Schedules is the number of executions that have ended so far.
	Schedules() int
	// Share estimates how much of what there is has been explored, from 0 to 1: a
	// guess from what the nearest branches of the search were like.
	Share() float64
}

// Bounded says what a strategy that has come to its end has left out: "" is nothing. Of a
// strategy that does not say, nothing is known, and so this is not "" either.
func Bounded(s Strategy) string {
	if b, ok := s.(interface{ Bounded() string }); ok {
		return b.Bounded()
	}
	return s.Name() + " does not say what it has left out"
}

// leftOut is what executions leave out under any strategy.
type leftOut struct {
	cut       bool // an execution did not reach its end
	collapsed bool // a task that repeated itself was not stopped at each of its rounds
}

func (l *leftOut) note(r Result) {
	l.cut = l.cut || r.Cut
	l.collapsed = l.collapsed || r.Collapsed > 0
}

// text is what Bounded says. more is what the strategy itself leaves out, or "".
func (l *leftOut) text(more string) string {
	var all []string
	if more != "" {
		all = append(all, more)
	}
	if l.collapsed {
		all = append(all, "a spinning task is held back until a write, or runs on to the end of its loop, and does not stop after each of its rounds; a task that waits is not overlooked by polls again and again")
	}
	if l.cut {
		all = append(all, "executions were cut at the limit of steps")
	}
	return strings.Join(all, "; ")
}

// A DivergenceError says that the same choices led to a different state: the
// subject depends on something besides the schedule. Exhaustive search means
// nothing then.
type DivergenceError struct {
	Strategy string
	Step     int    // that differs, from 0
	Was, Is  string // what there was to choose when the prefix was run before, and now
}

func (e *DivergenceError) Error() string {
	return fmt.Sprintf("%s: step %d has %s after the same choices that led to %s before: the subject depends on something besides "+
		"the schedule (a clock, an address, the order of a map, a goroutine that is not controlled)", e.Strategy, e.Step, e.Is, e.Was)
}

// The ways to name what a step had to offer.
func tasksToChoose(n int) string { return count(n, "task to choose from", "tasks to choose from") }
func picksToMake(n int) string   { return fmt.Sprintf("a pick among %d", n) }

const (
	otherTasks = "other tasks, or tasks about to do something else"
	theseTasks = "some tasks"
	noStep     = "no such step"
)

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
