package seam

import "unsafe"

// At passes the point. With no engine installed, that costs one atomic load, as
// do Notify, Fail and Value.
func (p *Point) At() {
	if e := asks(p); e != nil {
		e.At(p)
	}
}

// Notify returns how often to send the notification at p.
func (p *Point) Notify() int {
	if e := asks(p); e != nil {
		return e.Notify(p)
	}
	return 1
}

// Fail reports whether the operation at p is to be taken for failed.
func (p *Point) Fail() bool {
	if e := asks(p); e != nil {
		return e.Fail(p)
	}
	return false
}

// Value returns v, or what a fault makes of it.
func (p *Point) Value(v uint64) uint64 {
	if e := asks(p); e != nil {
		return e.Value(p, v)
	}
	return v
}

// asks returns the engine to which p means something, or nil. It notes for a quiet
// controller that the running task has passed it.
//
//go:norace
func asks(p *Point) Engine {
	in := installed.Load()
	if in == nil {
		return nil
	}
	if c := in.control; c != nil && c.Quiet && c.running == goroutine() {
		c.Passed = p
		return nil
	}
	return in.Engine
}

// Operate announces an atomic operation on x, whose point is p, and returns where
// to do it: at x, unless the engine's memory is weak. With no engine installed, that
// costs one atomic load.
//
//go:norace
func Operate(p *Point, x unsafe.Pointer, a Access) unsafe.Pointer {
	in := installed.Load()
	if in == nil {
		return x
	}
	if c := in.control; c != nil && c.running == goroutine() { // Controlled, in this frame
		return c.Access(p, x, a)
	}
	p.At()
	return x
}

// Swapped tells how the compare-and-swap announced last turned out, and returns it.
func Swapped(ok bool) bool {
	if c := Controlled(); c != nil {
		c.Swapped(ok)
		if ok && c.Publishing {
			c.Published()
		}
	}
	return ok
}

// Published is called after an operation that others can see, before the caller's plain
// code that follows: writes, perhaps, that should have come first.
//
//go:norace
func Published() {
	if c := controlling(); c != nil && c.Publishing && c.running == goroutine() {
		c.Controller.Published()
	}
}

// Updated is Published, and returns v: what an update of an atomic variable returned.
func Updated[T any](v T) T {
	Published()
	return v
}

// Ordered gives the operation that the caller announces next its order, and the one
// that it has if it is a compare-and-swap that does not swap. Unless the memory is
// weak it does nothing, and costs an atomic load.
//
//go:norace
func Ordered(order, failure Order) {
	if c := controlling(); c != nil && c.Weak != nil && c.running == goroutine() {
		c.Weak.Ordered(order, failure)
	}
}

// Fence announces a fence, whose point is p.
//
//go:norace
func Fence(p *Point, order Order) {
	if c := controlling(); c != nil && c.Weak != nil && c.running == goroutine() {
		c.Weak.Fence(p, order)
		return
	}
	p.At()
}
