// Package control runs a subject one task at a time, and decides inside every hook which
// task continues. docs/engine.md explains how a step is decided and what the engine models.
//
//	engine, err := control.New(control.Options{Strategy: strategy.Random()})
//	if err != nil { ... }
//	defer engine.Close()
//	for n := range 1000 {
//		result, more := engine.Run(seed(n), func() { ... }) // the subject, built afresh
//	}
//
// A task is a goroutine of the subject: the body given to Run, and everything started by
// hooks.Task or a drop-in. It stops before each operation that other tasks could observe,
// and continues when the strategy chooses it. If no task can continue, that is a deadlock.
// Between two operations a task runs undisturbed, which misses nothing unless the subject
// has a data race; the race detector works under control and finds those.
//
// With Options.Runtime the tasks are goroutines that the Go runtime holds, of a subject that does
// not use hooks. This package is the face of the engine: chaos/internal/core decides, and
// chaos/internal/hooked and chaos/internal/real are its two front ends.
//
// Limits: one engine per process. A goroutine that is not a task ends the execution with
// the verdict uncontrolled as soon as it passes a hook or is found alive; one that ends
// unnoticed is only reported by Untracked. A task that blocks outside the hooks (a system
// call, a mutex of package sync) blocks the whole execution; a watchdog reports where.
// The stack of a task may begin with frames of tasks that ran before on its goroutine.
//
// The engine imports internal/seam, internal/self and other packages under chaos; never the
// drop-ins, which would make it run itself.
package control
