package control

import "runtime"

// Abandoned tasks are unwound: each is resumed in the hook in which it stopped,
// which panics. Deferred calls run, and the hooks that they reach pass through, as
// far as they need not wait; then they panic, too. A program that recovers the
// panic and goes on meets it again, and in the end a Goexit, which cannot be
// recovered.
const (
	mostPasses  = 100_000 // hooks that a task may pass while it unwinds
	mostUnwinds = 100     // panics that it may recover
)

// unwind panics on behalf of an abandoned execution.
//
//go:norace
func (e *engine) unwind(t *task) {
	t.unwinds++
	e.meeting.Add(1) // see survey
	if t.unwinds > mostUnwinds {
		runtime.Goexit()
	}
	panic(unwinding{t})
}

// passing is called by hooks that an unwinding task passes.
//
//go:norace
func (e *engine) passing() {
	t := e.current()
	if t.passes++; t.passes > mostPasses {
		e.unwind(t)
	}
}

// Unwinding implements seam.Engine.
//
//go:norace
func (e *engine) Unwinding(v any) bool {
	if !e.mine() {
		e.Outside()
	}
	return isUnwinding(v)
}
