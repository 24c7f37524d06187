//go:build !chaos

package hooks

import "runtime"

// Enabled reports whether this is the chaos build. It is a constant: code behind `if hooks.Enabled`
// is not compiled into the normal build.
const Enabled = false

// A Point is a hook point, made by Declare.
type Point struct{}

// Declare declares a hook point: its name, "package/what"; one line about the window that is open
// while a goroutine is there; and the faults that it offers. In this build it does nothing; the
// chaos build (-tags chaos) registers the point, and panics if the name is malformed or taken.
func Declare(name, window string, offers FaultKind) Point { return Point{} }

// At marks that the caller passes p. In this build it does nothing; in the chaos build the engine
// may delay the caller there, or let others run.
func At(p Point) {}

// Notify returns how often to send the notification at p: in this build, 1; in the chaos build also
// 0, if a fault drops it, or 2, if one duplicates it. Use it as
//
//	for range hooks.Notify(p) {
//		send()
//		if !hooks.Enabled {
//			break
//		}
//	}
//
// With the break, the loop is straight code in this build.
func Notify(p Point) int { return 1 }

// Fail reports whether the caller should act as if the operation at p had failed, or its wait had
// ended, without trying it: in this build, false; in the chaos build, true where a fault is
// injected.
func Fail(p Point) bool { return false }

// Value returns v, or the value that a fault sets instead: in this build, v; in the chaos build
// possibly another, which the caller narrows to its width.
func Value(p Point, v uint64) uint64 { return v }

// Task wraps the body of a goroutine, so that the engine can own it:
//
//	go hooks.Task(f)()
//
// In this build it returns f. In the chaos build, with an engine installed, it returns a function
// that runs f as a task of that engine, which decides under control when it runs; a goroutine
// started otherwise fails a controlled execution when it passes a hook.
func Task(f func()) func() { return f }

// Gosched is [runtime.Gosched]: it lets others run. In the chaos build, under control, the engine
// chooses which task continues.
func Gosched() { runtime.Gosched() }

// Controlled reports whether an engine runs the calling goroutine, one task at a time: in this
// build, false; in the chaos build, true under control. Code that blocks where no drop-in can show
// it (a system call, a thread) must then block in a drop-in.
func Controlled() bool { return false }

// Name gives the calling goroutine a name. In this build it does nothing; the chaos build uses it
// in reports, and for faults that apply to one task.
func Name(name string) {}

// Unwinding reports whether v, which the caller has just recovered, is the engine's own panic: in
// this build, false; in the chaos build the caller must then panic with it again at once.
func Unwinding(v any) bool { return false }

// Goroutine distinguishes goroutines. In this build it returns 0; in the chaos build, a number that
// no other goroutine has while the calling one lives, where the platform has one. It is for checks
// of correct use; no decision may depend on it.
func Goroutine() uintptr { return 0 }
