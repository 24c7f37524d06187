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

// The types of options have their documentation in package control.

// A Clock is a way in which virtual time passes.
type Clock int

// The clocks.
const (
	Lazy Clock = iota
	Racy
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

// A Memory is how weak the memory is.
type Memory int

// The models of memory.
const (
	SC Memory = iota
	TSO
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

// The ways to switch.
const (
	Fastest Switch = iota
	Coroutines
	Channels
)

// DefaultGrace is a guess: what a timer of the standard library will do is unknown before it
// does it.
const DefaultGrace = 250 * time.Millisecond
