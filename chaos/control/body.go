package control

// Task returns the title of the calling task, from inside an execution: "main/0", or "main/0
// (worker 1)" if it has a name. It is "" if the caller is not a task of the execution, which the
// engine then reports.
func (e *Engine) Task() string {
	if !e.in.inside("Task") {
		return ""
	}
	return e.in.current().title()
}

// Recovered is for a deferred call of the body that has more to run, such as cleanups. v is what it
// has recovered, or nil. A panic of the subject fails the execution. If the execution has failed,
// by that or before, the engine first records where the tasks are stopped; then Recovered returns, and
// hooks pass through from there on, as in any deferred call of a task that unwinds.
//
//go:norace
func (e *Engine) Recovered(v any) {
	if !e.in.inside("Recovered") || e.in.abandoning {
		return
	}
	t := e.in.current()
	if v != nil {
		e.in.panicked(t, v)
	}
	if e.in.stopping {
		defer func() { _ = recover() }() // the unwinding
		e.in.front.giveUp(t)
	}
}
