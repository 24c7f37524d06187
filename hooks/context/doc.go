// Package context is a drop-in for the standard package [context] with hook
// points where something is called off: change the import path, and each
// cancellation, deadline and AfterFunc becomes a place where a test can let the
// others win.
//
// # Normal build
//
// Types are aliases of the standard ones and functions are inlined calls of
// them: same machine code, same types. The variables Canceled and
// DeadlineExceeded, sixteen bytes each, and the moves that set them are all that a
// binary holds of this package.
//
// # Chaos build
//
// With the build tag "chaos" the functions that With... return, AfterFunc and its
// stop function pass points (see points.go, or stress points) beside the standard
// operation, which always runs. Contexts are the standard package's own still, so
// that it derives from them without a goroutine. With no engine installed a point
// costs one atomic load, and an operation one more.
//
// A fault here can only delay and yield: a cancellation is late, and never lost.
// The function given to AfterFunc becomes a task (hooks.Task), child of the
// goroutine that registers it; if it is stopped, or the context is never done,
// that task never starts.
//
// Under a controller (chaos/control) the contexts are this package's own: their end
// is a step of the execution, Err another, deadlines are in virtual time, and
// functions run as tasks. A context that was made elsewhere, and can end, does so
// unseen.
//
// # Limits
//
// The methods of a context pass no points: to have one beside the wait for a
// cancellation, receive from Done with hooks/channel. A deadline passes inside
// the runtime, where no point can be; so does a parent's cancellation on its way
// to those derived from it, in one step.
//
// go vet looks for cancel functions that are never called only where the import
// is the standard package.
//
// This package imports hooks, hooks/time, internal/seam and the standard library
// only. Production code may import it; the packages under chaos must not, or an engine
// would observe itself.
package context
