package control

import (
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Where time is racy, timers are fired by a pseudo-task, the clock, which strategies choose like any task.

const (
	// pollStep is how far time moves, in nanoseconds, when all tasks that are left poll the clock.
	pollStep = 1_000_000
	// With a mixed clock, one in racyOneIn executions is racy, drawn with clockStream. With a Runtime
	// as many others are brief.
	racyOneIn   = 4
	clockStream = 0x636c6f636b
)

// setClock decides whether the execution with that seed has a clock.
func (e *engine) setClock(seed uint64) {
	e.racy, e.brief = e.clockMode == Racy, false
	if e.clockMode == Mixed {
		exhaustive := strategy.IsExhaustive(e.strategy)
		draw := splitmix.Mix(seed, clockStream) % racyOneIn
		e.brief = !e.repeating && !exhaustive && e.clockAside && draw == 1
		e.racy = e.repeating || !exhaustive && draw == 0 || e.brief
	}
	e.mixed = e.racy && (e.clockMode == Mixed || e.clockAside)
}

// addClock makes the clock, once there is a task.
//
//go:norace
func (e *engine) addClock() {
	e.clock = e.newPseudoTask(strategy.ClockKey, "clock")
	e.clock.Op = strategy.Op{Kind: strategy.Clock}
}

// noneEnabled reports whether no task can continue. The clock of a schedule that may be repeated with or
// without it does not count.
//
//go:norace
func (e *engine) noneEnabled() bool {
	return len(e.Enabled) == 0 || len(e.Enabled) == 1 && e.mixed && e.Enabled[0].Pseudo
}
