//go:build chaos

package hooks

import (
	"runtime"

	"github.com/rouse-go/rouse/internal/seam"
	"github.com/rouse-go/rouse/internal/self"
)

// Enabled reports whether this is the chaos build. It is a constant: code behind `if hooks.Enabled`
// is not compiled into the normal build.
const Enabled = true

// A Point is a hook point, made by Declare.
type Point struct{ p *seam.Point }

// Declare declares a hook point: its name, "package/what"; one line about the window that is open
// while a goroutine is there; and the faults that it offers. Call it from a package-level var. It
// panics if the name is malformed or taken. In the normal build it does nothing.
func Declare(name, window string, offers FaultKind) Point {
	return Point{seam.Declare(name, window, offers)}
}

// At marks that the caller passes p. The engine may delay the caller or let others run. In the
// normal build it does nothing.
func At(p Point) { p.p.At() }

// Notify returns how often to send the notification at p: 1, or 0 (drop), or 2 (duplicate). Use it
// as
//
//	for range hooks.Notify(p) {
//		send()
//		if !hooks.Enabled {
//			break
//		}
//	}
//
// With the break, the loop is straight code in the normal build, where Notify returns 1.
func Notify(p Point) int { return p.p.Notify() }

// Fail reports whether the caller should act as if the operation at p had failed, or its wait had
// ended, without trying it. In the normal build it returns false.
func Fail(p Point) bool { return p.p.Fail() }

// Value returns v, or the value that a fault sets instead, which the caller narrows to its width.
// In the normal build it returns v.
func Value(p Point, v uint64) uint64 { return p.p.Value(v) }

// Task wraps the body of a goroutine, so that the engine can own it:
//
//	go hooks.Task(f)()
//
// The parent calls it, so that tasks are numbered in program order. Under control, a goroutine
// started otherwise fails the execution when it passes a hook. In the normal build, and without an
// engine, Task returns f.
func Task(f func()) func() {
	if e := seam.Installed(); e != nil {
		return e.Task(f)
	}
	return f
}

// Gosched is [runtime.Gosched]: it lets others run. Under control the engine chooses which task
// continues.
func Gosched() {
	if c := seam.Controlled(); c != nil {
		c.Yield()
		return
	}
	runtime.Gosched()
}

// Controlled reports whether an engine runs the calling goroutine, one task at a time. Code that
// blocks where no drop-in can show it (a system call, a thread) must then block in a drop-in. In
// the normal build it returns false.
func Controlled() bool { return seam.Controlled() != nil }

// Name gives the calling goroutine a name, for reports, and for faults that apply to one task. In
// the normal build it does nothing.
func Name(name string) {
	if e := seam.Installed(); e != nil {
		e.Name(name)
	}
}

// Unwinding reports whether v, which the caller has just recovered, is the engine's own panic; the
// caller must then panic with it again at once. In the normal build it returns false.
func Unwinding(v any) bool {
	if e := seam.Installed(); e != nil {
		return e.Unwinding(v)
	}
	return false
}

// Goroutine returns a number that no other goroutine has while the calling one lives, or 0 where
// the platform cannot distinguish goroutines. It is for checks of correct use; no decision may
// depend on it. In the normal build it returns 0.
func Goroutine() uintptr { return self.G() }
