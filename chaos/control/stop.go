package control

import (
	"math"
	"runtime"
)

// A stop describes where an execution stops for a debugger.
type stop struct {
	at      int // step; 0 if nowhere
	reached func(task string)
	task    *task // of package hooks: it stops when it has its turn
}

// trap stops the process for a debugger. Tests replace it.
var trap = runtime.Breakpoint

// never stands for no step.
const never = math.MaxInt

// StopAt makes the next execution stop for a debugger before its n-th step, from 1: with
// runtime.Breakpoint, which ends a process that no debugger runs. The goroutine that stops is that of
// the task whose step it is: directly before the operation, after the wait that the step ends, or before
// the first statement of a new task. A step at which a timer fires belongs to no task; the goroutine
// that ran before it stops. The execution is the same as without the stop. reached, if not nil, is
// called just before, with the title of the task, "clock" for a timer; it must not use what tasks use. It
// is not called if the execution has fewer steps.
//
// An engine that a debugger stops should have a negative Options.Patience.
func (e *Engine) StopAt(n int, reached func(task string)) { e.in.stop = stop{at: n, reached: reached} }

// watchSteps sets the step at which watched is called.
func (e *engine) watchSteps() {
	switch e.watch = never; {
	case e.stop.at > 0:
		e.watch = e.stop.at
	case e.traceFrom > 0:
		e.watch = e.traceFrom
	}
}

// watched is called when next makes the step that is watched.
//
//go:norace
func (e *engine) watched(next *task) {
	e.watch = never
	if e.stop.at == 0 {
		e.tracing = true
		return
	}
	if e.stop.reached != nil {
		title := "clock"
		if next != e.clock {
			title = next.title()
		}
		e.stop.reached(title)
	}
	if next.Pseudo {
		trap()
	} else {
		e.front.stopBefore(next)
	}
}

// stopHere stops on the goroutine of the task whose step comes.
//
//go:norace
func (e *engine) stopHere() {
	e.stop.task = nil
	trap()
}
