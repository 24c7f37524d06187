package core

import (
	"math"
	"runtime"
)

// A stop describes where an execution stops for a debugger.
type stop struct {
	at      int // step; 0 if nowhere
	reached func(task string)
	Task    *Task // of package hooked: it stops when it has its turn
}

// Trap stops the process for a debugger. Tests replace it.
var Trap = runtime.Breakpoint

// never stands for no step.
const never = math.MaxInt

// StopAt implements control.Engine.StopAt.
func (e *Engine) StopAt(n int, reached func(task string)) { e.Stop = stop{at: n, reached: reached} }

// watchSteps sets the step at which watched is called.
func (e *Engine) watchSteps() {
	switch e.Watch = never; {
	case e.Stop.at > 0:
		e.Watch = e.Stop.at
	case e.traceFrom > 0:
		e.Watch = e.traceFrom
	}
}

// watched is called when next makes the step that is watched.
//
//go:norace
func (e *Engine) watched(next *Task) {
	e.Watch = never
	if e.Stop.at == 0 {
		e.Tracing = true
		return
	}
	if e.Stop.reached != nil {
		title := "clock"
		if next != e.Clock {
			title = next.Title()
		}
		e.Stop.reached(title)
	}
	if next.Pseudo {
		Trap()
	} else {
		e.Front.StopBefore(next)
	}
}

// StopHere stops on the goroutine of the task whose step comes.
//
//go:norace
func (e *Engine) StopHere() {
	e.Stop.Task = nil
	Trap()
}
