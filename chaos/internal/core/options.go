package core

import (
	"fmt"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Options are those of control.Options that both front ends have.
type Options struct {
	Strategy strategy.Strategy
	Plan     plan.Plan
	Clock    Clock
	Points   bool
	MaxSteps int
	MaxSpins int
	Within   time.Duration
	Patience time.Duration
	Stepped  func()
	Grace    time.Duration
}

// A Clock is a way in which virtual time passes.
type Clock int

const (
	// Lazy: time does not advance while a task can continue, and jumps to the next timer when none
	// can. Computing takes no time.
	Lazy Clock = iota
	// Racy: the next timer may fire at any step, whenever the strategy says so, and time jumps
	// there. Computing takes any time; a timeout can hit in the middle of anything.
	Racy
	// Mixed: racy in every fourth execution, drawn from its seed, and lazy in the others and under an exhaustive
	// strategy. With a Runtime another fourth is brief: timers fire early, but keep tasks that can continue
	// waiting for half a millisecond at most. In a racy one the bound is then 10 seconds; half a second for
	// sleeps of other code while a goroutine of the test can continue; 10 milliseconds for timers that a file of
	// tests arms, and 4 seconds for its contexts. Two periodic timers that are not one of these may fire beyond
	// that. A schedule repeats an execution of any kind.
	Mixed
)

var clockNames = []string{Lazy: "lazy", Racy: "racy", Mixed: "mixed"}

// String returns the clock's name: "lazy", "racy" or "mixed".
func (c Clock) String() string { return nameOf("Clock", clockNames, int(c)) }

// ParseClock returns the clock of that name.
func ParseClock(name string) (Clock, bool) {
	i := slices.Index(clockNames, name)
	return Clock(max(i, 0)), i >= 0
}

// A Memory is how weak the memory is that the subject's atomics run on. Go's is SC, and nothing
// weaker can break a Go program: the others are a what-if, for code that declares the orders which
// its argument needs (hooks/memory). An operation of hooks/atomic is sequentially consistent in
// all of them, and mutexes, channels, conditions and the rest order what they order in Go.
type Memory int

const (
	// SC: sequentially consistent. A load reads the newest store.
	SC Memory = iota
	// TSO: total store order, as on x86. A store may wait in a buffer of its task, whose loads
	// read it there, until the strategy lets it reach memory. Sequentially consistent stores,
	// updates, sequentially consistent fences and all other synchronisation empty the buffer first.
	TSO
	// Views: much of C++20 and Rust. A load may read any store that its task can't know to be
	// overwritten, as its view says: what it has read and written, and, through the orders
	// declared, what others had. A store comes after those made before it in the execution, and
	// no load reads a store that is yet to be made (no load buffering). An update reads the newest
	// store, and so does a compare-and-swap that fails.
	Views
)

var memoryNames = []string{SC: "sc", TSO: "tso", Views: "views"}

// String returns the model's name, as options write it.
func (m Memory) String() string { return nameOf("Memory", memoryNames, int(m)) }

// ParseMemory returns the model of that name.
func ParseMemory(name string) (Memory, bool) {
	i := slices.Index(memoryNames, name)
	return Memory(max(i, 0)), i >= 0
}

func nameOf(kind string, names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return names[i]
}

// A Switch is a way to switch goroutines.
type Switch int

// The ways to switch. Schedules do not depend on it.
const (
	// Fastest is Coroutines, or Channels in a binary with the race detector.
	Fastest Switch = iota
	// Coroutines is iter.Pull. It must not be used where a task or the caller of Run is locked to
	// its thread, and the race detector finds nothing under it.
	Coroutines
	// Channels is a channel for each goroutine.
	Channels
)

// DefaultGrace is a guess: what a timer of the standard library will do is unknown before it
// does it.
const DefaultGrace = 250 * time.Millisecond
