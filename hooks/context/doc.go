// Package context is a drop-in for the standard package [context] with hook points where
// something is cancelled: change the import path, and a test can let other goroutines go first at
// each cancellation, deadline and AfterFunc.
//
// # Normal build
//
// Types are aliases of the standard ones and functions are inlined calls of them: same machine
// code, same types. The binary holds no symbol of this package.
//
// Canceled and DeadlineExceeded are not here: Go cannot alias a variable, and a copy would cost
// every binary two variables and their initialisation. Take them from the standard package,
// imported under another name. The contexts of both builds end with those errors.
//
// # Chaos build
//
// With the build tag "chaos" AfterFunc, its stop function and the functions that With... return
// pass points (points.go, or stress points) around the standard operation, which always runs.
// Contexts are still the standard package's, so that it derives from them without a goroutine.
// Without an engine a point costs one atomic load, and an operation one more.
//
// Faults can only delay and yield: a cancellation is late, and never lost. The function given to
// AfterFunc becomes a task (hooks.Task), child of the goroutine that registers it; if it is
// stopped, or the context is never done, that task never starts.
//
// Under chaos/control the contexts are this package's own: cancellation is a step of the
// execution, Err another, deadlines are in virtual time, and functions run as tasks. The engine
// does not see the end of a context that was made elsewhere.
//
// # Limits
//
// The methods of a context pass no points: to have one at the wait for a cancellation, receive
// from Done with hooks/channel. A deadline passes inside the runtime, where no point can be, and
// a parent's cancellation reaches the contexts derived from it in one step. go vet looks for
// cancel functions that are never called only where the import is the standard package.
//
// This package imports hooks, hooks/time, internal/seam and the standard library. The packages under
// chaos must not import it: an engine would observe itself.
package context
