package control

import (
	"time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Options of an Engine. The zero value of each field is a choice that serves most.
type Options struct {
	// Strategy chooses the schedules; nil means strategy.Random().
	Strategy strategy.Strategy
	// Runtime, if not nil, runs the tasks, in place of Switch: goroutines of a subject that does not
	// use package hooks. Memory must be SC then, and the binary needs no tag.
	Runtime Runtime
	// Own are the paths of the modules that are the user's own: the places of a trace of a Runtime are in
	// them, if any frame is.
	Own []string
	// AllowLeaks: tasks that are left when the first one has ended are not a failure. Only a Runtime
	// can end them without running their code, so it is ignored without one.
	AllowLeaks bool
	// Switch is how goroutines are switched.
	Switch Switch
	// Plan holds the faults. Which of them fire is drawn from the seed of each execution, not
	// from the plan's, and delays pass in virtual time.
	Plan plan.Plan
	// Clock determines when timers fire.
	Clock Clock
	// Memory is how weak the memory is.
	Memory Memory
	// WithoutFences are fences of hooks/memory that a weak memory leaves out, to see which are
	// needed: each by the function that holds it, "sleep.PushFence", or by its place,
	// "deque.go:81".
	WithoutFences []string
	// Points makes a decision at each hook point as well, not only at operations. It is for code
	// with plain variables and hook points between their uses.
	Points bool
	// MaxSteps cuts an execution that takes more decisions; 0 is 1,000,000. That is a timeout, or
	// a livelock if half of them were reads, yields, sleeps and locks only; of a Runtime, a livelock is proved before
	// that, or it is a timeout.
	MaxSteps int
	// Within cuts an execution that takes longer in real time, between two steps; 0 means no
	// bound. Its verdict is as for MaxSteps. Where it was cut differs from run to run, but real
	// time decides nothing else.
	Within time.Duration
	// MaxSpins is how often in a row all tasks that are left may spin, without a write, before
	// that is a livelock; 0 is 5,000. It has no effect on tasks of a Runtime. Each time lets a loop that reads one variable run for twelve
	// more rounds.
	MaxSpins int
	// Patience is how long, in real time, a task may block where the engine does not see it; then
	// the watchdog prints where, and ends the process by a panic. A task that computes without
	// passing a hook has six times as long. 0 is 10 seconds; a negative value means no watchdog.
	Patience time.Duration
	// Stepped, if not nil, is called now and then while an execution makes steps, by a task. It must not wait,
	// or pass a hook.
	Stepped func()
	// Grace is how long, in real time, an execution that is stuck waits for something outside to
	// wake it, as a timer of the standard library could. An engine that has once waited for
	// nothing does not wait again, unless an execution has started a goroutine that is not a
	// task. 0 is 250 ms; a negative value means no wait.
	Grace time.Duration
}

type (
	// A Clock is a way in which virtual time passes.
	Clock = core.Clock
	// A Memory is how weak the memory is that the subject's atomics run on. Go's is SC, and nothing
	// weaker can break a Go program: the others are a what-if, for code that declares the orders which
	// its argument needs (hooks/memory). An operation of hooks/atomic is sequentially consistent in
	// all of them, and mutexes, channels, conditions and the rest order what they order in Go.
	Memory = core.Memory
	// A Switch is a way to switch goroutines.
	Switch = core.Switch
)

const (
	// Lazy: time does not advance while a task can continue, and jumps to the next timer when none
	// can. Computing takes no time.
	Lazy = core.Lazy
	// Racy: the next timer may fire at any step, whenever the strategy says so, and time jumps
	// there. Computing takes any time; a timeout can hit in the middle of anything.
	Racy = core.Racy
	// Mixed: racy in every fourth execution, drawn from its seed, and lazy in the others and under an exhaustive
	// strategy. With a Runtime another fourth is brief: timers fire early, but keep tasks that can continue
	// waiting for half a millisecond at most. In a racy one the bound is then 10 seconds; half a second for
	// sleeps of other code while a goroutine of the test can continue; 10 milliseconds for timers that a file of
	// tests arms, and 4 seconds for its contexts. Two periodic timers that are not one of these may fire beyond
	// that. A schedule repeats an execution of any kind.
	Mixed = core.Mixed
)

const (
	// SC: sequentially consistent. A load reads the newest store.
	SC = core.SC
	// TSO: total store order, as on x86. A store may wait in a buffer of its task, whose loads
	// read it there, until the strategy lets it reach memory. Sequentially consistent stores,
	// updates, sequentially consistent fences and all other synchronisation empty the buffer first.
	TSO = core.TSO
	// Views: much of C++20 and Rust. A load may read any store that its task can't know to be
	// overwritten, as its view says: what it has read and written, and, through the orders
	// declared, what others had. A store comes after those made before it in the execution, and
	// no load reads a store that is yet to be made (no load buffering). An update reads the newest
	// store, and so does a compare-and-swap that fails.
	Views = core.Views
)

// The ways to switch. Schedules do not depend on it.
const (
	// Fastest is Coroutines, or Channels in a binary with the race detector.
	Fastest = core.Fastest
	// Coroutines is iter.Pull. It must not be used where a task or the caller of Run is locked to
	// its thread, and the race detector finds nothing under it.
	Coroutines = core.Coroutines
	// Channels is a channel for each goroutine.
	Channels = core.Channels
)

// ParseClock returns the clock of that name.
func ParseClock(name string) (Clock, bool) { return core.ParseClock(name) }

// ParseMemory returns the model of that name.
func ParseMemory(name string) (Memory, bool) { return core.ParseMemory(name) }
