package control

import "runtime"

// Abandoned tasks are unwound: each is resumed in the hook in which it stopped,
// which panics. Deferred calls run, and the hooks that they reach pass through, as
// far as they need not wait; then they panic, too. A program that recovers the
// panic and goes on meets it again, and in the end a Goexit, which cannot be
// recovered.
const (
	maxPasses  = 100_000 // hooks that a task may pass while it unwinds
	maxUnwinds = 100     // panics that it may recover
)

// unwind panics on behalf of an abandoned execution.
//
//go:norace
func (e *engine) unwind(t *task) {
	t.unwinds++
	e.meeting.Add(1) // see survey
	if t.unwinds > maxUnwinds {
		runtime.Goexit()
	}
	panic(unwinding{t})
}

// passing is called by hooks that an unwinding task passes.
//
//go:norace
func (e *engine) countPass() {
	t := e.current()
	if t.passes++; t.passes > maxPasses {
		e.unwind(t)
	}
}

// Unwinding implements seam.Engine.
//
//go:norace
func (e *engine) Unwinding(v any) bool {
	if !e.onTask() {
		e.Outside()
	}
	return isUnwinding(v)
}
