package core

import (
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Where time is racy, timers are fired by a pseudo-task, the clock, which strategies choose like any task.

const (
	// PollStep is how far time moves, in nanoseconds, when all tasks that are left poll the clock.
	PollStep = 1_000_000
	// With a mixed clock, one in racyOneIn executions is racy, drawn with clockStream. With a Runtime
	// as many others are brief.
	racyOneIn   = 4
	clockStream = 0x636c6f636b
)

// setClock decides whether the execution with that seed has a clock.
func (e *Engine) setClock(seed uint64) {
	e.Racy, e.Brief = e.ClockMode == Racy, false
	if e.ClockMode == Mixed {
		exhaustive := strategy.IsExhaustive(e.Strategy)
		draw := splitmix.Mix(seed, clockStream) % racyOneIn
		e.Brief = !e.Repeating && !exhaustive && e.ClockAside && draw == 1
		e.Racy = e.Repeating || !exhaustive && draw == 0 || e.Brief
	}
	e.mixed = e.Racy && (e.ClockMode == Mixed || e.ClockAside)
}

// AddClock makes the clock, once there is a task.
//
//go:norace
func (e *Engine) AddClock() {
	e.Clock = e.NewPseudoTask(strategy.ClockKey, "clock")
	e.Clock.Op = strategy.Op{Kind: strategy.Clock}
}

// NoneEnabled reports whether no task can continue. The clock of a schedule that may be repeated with or
// without it does not count.
//
//go:norace
func (e *Engine) NoneEnabled() bool {
	n := e.Len()
	return n == 0 || n == 1 && e.mixed && e.At(0).Pseudo
}
