// Package real is the front end of the engine for a subject that knows nothing of it: tasks are goroutines that a Runtime
// holds, the Go runtime itself, patched by the overlay of package goroot. Their operations are real ones. The engine sees
// them at points, before they are done, and settles what they did when the task comes back (settle.go).
//
// Time is virtual (clock.go), and passes only when no task can make use of it: most files here are about when that is,
// for tasks that poll (spin.go, fair.go), that wait for something outside (await.go), or that never come to an end
// (livelock.go, owners.go).
package real
