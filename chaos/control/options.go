package control

import (
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Options of an Engine. The zero value of each field is a choice that serves most.
type Options struct {
	// Strategy chooses the schedules; nil is strategy.Random().
	Strategy strategy.Strategy
	// Switch is how goroutines are switched.
	Switch Switch
	// Plan is what is to go wrong; nothing, if it is zero. What fires is drawn from
	// the seed of each execution, not from the plan's, and delays pass in virtual
	// time.
	Plan plan.Plan
	// Clock is when timers fire.
	Clock Clock
	// Memory is how weak the memory is.
	Memory Memory
	// WithoutFences are fences of hooks/memory that a weak memory leaves out, to see
	// who needs them: each by the function that holds it, "sleep.PushFence", or by its
	// place, "deque.go:81".
	WithoutFences []string
	// Points makes a decision at each hook point as well, not only at operations.
	// It is for code whose windows are not operations: plain variables, with hook
	// points between their uses.
	Points bool
	// MaxSteps cuts an execution that takes more decisions; 0 is 1,000,000. That is a
	// timeout, or a livelock if half of them were reads, yields, sleeps and locks only.
	MaxSteps int
	// Within cuts an execution that takes longer in real time, between two steps; 0 is no
	// bound. Its verdict is as for MaxSteps, and where it was cut differs from run to run,
	// but real time decides nothing else.
	Within time.Duration
	// MaxSpins is how often in a row all tasks that are left may spin, without a write
	// by anybody, before that is a livelock; 0 is 5,000. Each time lets a loop go on
	// that reads one variable for twelve more rounds.
	MaxSpins int
	// Patience is how long, in real time, a task may block where the engine does not
	// see it; then the watchdog prints where, and ends the process by a panic. A task
	// that computes without passing a hook has six times as long. 0 is
	// DefaultPatience, and a negative one is no watchdog.
	Patience time.Duration
	// Grace is how long, in real time, an execution that is stuck waits for something
	// outside to wake it, as a timer of the standard library could. An engine that has
	// once waited for nothing does not wait again, unless an execution has started a
	// goroutine that is no task. 0 is DefaultGrace, and a negative one is no wait.
	Grace time.Duration
}

// A Clock is a way in which virtual time passes.
type Clock int

// The ways in which time passes.
const (
	// Lazy: time stands still while a task can go on, and jumps to the next timer
	// when nobody can. What is computed takes no time.
	Lazy Clock = iota
	// Racy: the next timer may fire at any step, whenever the strategy says so, and
	// time jumps there. What is computed takes any time; a timeout can hit in the
	// middle of anything.
	Racy
)

var clockNames = [...]string{Lazy: "lazy", Racy: "racy"}

// String returns the clock's name: "lazy" or "racy".
func (c Clock) String() string {
	if c < Lazy || c > Racy {
		return "?"
	}
	return clockNames[c]
}

// ParseClock returns the clock of that name.
func ParseClock(name string) (Clock, bool) {
	i := slices.Index(clockNames[:], name)
	return Clock(max(i, 0)), i >= 0
}

// A Switch is a way to switch goroutines.
type Switch int

// The ways to switch. Schedules do not depend on it.
const (
	// Fastest is Coroutines, or Channels in a binary with the race detector.
	Fastest Switch = iota
	// Coroutines is iter.Pull. It must not be used where a task or the caller of Run
	// is locked to its thread, and the race detector finds nothing under it.
	Coroutines
	// Channels is a channel for each goroutine.
	Channels
)
