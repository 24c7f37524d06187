package seam

import "sync/atomic"

// An Engine decides what happens at the hook points of a chaos build. Its methods are called on the
// goroutine that reached the point, by any number of goroutines at once, and must not create a
// happens-before edge between them that the code under test does not have.
type Engine interface {
	// At is called when p is passed. It may block.
	At(p *Point)
	// Notify returns how often the notification at p is to be sent: 1, or 0
	// (drop), or 2 (duplicate).
	Notify(p *Point) int
	// Fail reports whether the operation at p is to be treated as failed (or a wait as ended)
	// without trying it.
	Fail(p *Point) bool
	// Value returns v, or the value that a fault turns it into.
	Value(p *Point, v uint64) uint64
	// Task wraps the body of a new goroutine. The parent calls it before the go statement, so that
	// child numbers follow program order.
	Task(f func()) func()
	// Name gives the calling task a name for people and for plans.
	Name(name string)
	// Unwinding reports whether v, a recovered panic value, is the engine's own and must be panicked
	// again.
	Unwinding(v any) bool
}

// An Owner is an engine that can distinguish its goroutines from others.
type Owner interface {
	// Owns reports whether the calling goroutine is a task of the engine's.
	Owns() bool
}

// An installation is an installed engine, with its control if it is a controller.
type installation struct {
	Engine
	control *Control
}

// installed is the only word that a point reads while there is no engine.
var installed atomic.Pointer[installation]

// Install makes e the engine of this process and returns a function that removes it. It reports
// false if another engine is installed.
func Install(e Engine) (uninstall func(), ok bool) { return install(&installation{Engine: e}) }

func install(in *installation) (uninstall func(), ok bool) {
	if !installed.CompareAndSwap(nil, in) {
		return nil, false
	}
	return func() { installed.CompareAndSwap(in, nil) }, true
}

// Installed returns the engine, or nil. Cost: one atomic load.
func Installed() Engine {
	if in := installed.Load(); in != nil {
		return in.Engine
	}
	return nil
}

// controlling returns the controller at work, or nil. Cost: one atomic load.
func controlling() *Control {
	if in := installed.Load(); in != nil {
		return in.control
	}
	return nil
}
