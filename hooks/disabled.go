//go:build !chaos

package hooks

import "runtime"

// Enabled reports whether this is the chaos build. It is a constant: code behind
// `if hooks.Enabled` is not compiled into the normal build.
const Enabled = false

// A Point is a hook point, made by Declare.
type Point struct{}

// Declare declares a hook point: its name, "package/what"; one line about the window that is open
// while a goroutine is there; and the faults that it offers. In this build it does nothing.
func Declare(name, window string, offers FaultKind) Point { return Point{} }

// At marks that the caller passes p. In this build it does nothing.
func At(p Point) {}

// Notify returns how often to send the notification at p: in this build, 1.
func Notify(p Point) int { return 1 }

// Fail reports whether the caller should act as if the operation at p had failed: in this build,
// false.
func Fail(p Point) bool { return false }

// Value returns v, or the value that a fault sets instead: in this build, v.
func Value(p Point, v uint64) uint64 { return v }

// Task wraps the body of a goroutine. In this build it returns f.
func Task(f func()) func() { return f }

// Gosched is [runtime.Gosched]: it lets others run.
func Gosched() { runtime.Gosched() }

// Controlled reports whether an engine runs the calling goroutine, one task at a time:
// in this build, false.
func Controlled() bool { return false }

// Name gives the calling goroutine a name. In this build it does nothing.
func Name(name string) {}

// Unwinding reports whether v is the engine's own panic: in this build, false.
func Unwinding(v any) bool { return false }

// Goroutine distinguishes goroutines. In this build it returns 0.
func Goroutine() uintptr { return 0 }
