package strategy

import (
	"fmt"
	"strings"
)

// An Exhaustive strategy ends: when it has explored all that it promises, its Begin
// returns false. DFS and DPOR return such strategies. They run the same prefix of a
// schedule many times, and panic with a *DivergenceError, from Next, Pick or End, if it
// turns out differently.
type Exhaustive interface {
	Strategy
	// Complete reports whether every schedule has been explored: nothing is left, and
	// nothing was left out.
	Complete() bool
	// Bounded describes what the search has left out so far; "" if nothing. A search that has
	// ended and left out nothing is complete.
	Bounded() string
}

// IsExhaustive reports whether a strategy is exhaustive, or has a method Exhaustive that returns true: one that passes
// on the choices of others.
func IsExhaustive(s Strategy) bool {
	if p, ok := s.(interface{ Exhaustive() bool }); ok {
		return p.Exhaustive()
	}
	_, ok := s.(Exhaustive)
	return ok
}

// Bounded describes what a strategy that has ended has left out; "" if nothing. It is not "" for
// a strategy that has no method Bounded.
func Bounded(s Strategy) string {
	if b, ok := s.(interface{ Bounded() string }); ok {
		return b.Bounded()
	}
	return s.Name() + " does not report what it has left out"
}

// leftOut records what executions leave out, under any strategy.
type leftOut struct {
	cut       bool // an execution did not reach its end
	collapsed bool // a task that repeated itself was not stopped at each of its rounds
	forced    bool
	lazy      bool
	drawn     bool
	outside   bool
	chance    bool
	dumped    bool
	aside     bool
	races     bool
}

func (l *leftOut) note(r Result) {
	l.cut = l.cut || r.Cut
	l.collapsed = l.collapsed || r.Collapsed > 0
	l.forced = l.forced || r.Forced > 0
	l.lazy = l.lazy || r.Lazy
	l.drawn = l.drawn || r.Drawn
	l.outside = l.outside || r.Outside
	l.chance = l.chance || r.Chance
	l.dumped = l.dumped || r.Dumped
}

// text returns the result of Bounded. more is what the strategy itself leaves out, or "".
func (l *leftOut) text(more string) string {
	var all []string
	if more != "" {
		all = append(all, more)
	}
	if l.collapsed {
		all = append(all, "a spinning task is held back until a write, or runs on to the end of its loop, and does not stop after each of its rounds; a task that waits is not overlooked by polls again and again")
	}
	for _, x := range []struct {
		met  bool
		text string
	}{
		{l.forced, "a task that had waited for very long got a turn that the search did not choose, or a timer fired in a long loop"},
		{l.lazy, "time did not pass at every step at which a task could continue"},
		{l.drawn, "the faults of the plan were drawn, and not explored"},
		{l.outside, "something outside woke tasks, in an order that the search did not choose"},
		{l.chance, "what tasks drew at random, such as the order of a map, was drawn, and not explored"},
		{l.dumped, "when tasks asked for the number of goroutines, for their stacks, or got what is in a sync.Pool, is not among the orders"},
		{l.aside, "which of several tasks came first was not chosen where they call methods of one test, such as Run with one name, Cleanup or TempDir, or use its context when it ends, or where os.CreateTemp or MkdirTemp makes a file in a folder beside other system calls, or where a file is closed beside what uses it"},
		{l.races, "an operation that waits was not moved before more than 256 others"},
		{l.cut, "executions were cut at the limit of steps"},
	} {
		if x.met {
			all = append(all, x.text)
		}
	}
	return strings.Join(all, "; ")
}

// A DivergenceError reports that the same choices led to a different state: the subject
// depends on something besides the schedule. The result of an exhaustive search is
// meaningless then.
type DivergenceError struct {
	Strategy string
	Step     int    // that differs, from 0
	Was, Is  string // the choice when the prefix was run before, and now
}

func (e *DivergenceError) Error() string {
	return fmt.Sprintf("%s: step %d has %s after the same choices that led to %s before: the subject depends on something besides "+
		"the schedule (a clock, an address, the order of a map, a goroutine that is not controlled)", e.Strategy, e.Step, e.Is, e.Was)
}

// Descriptions of the choice at a step.
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
