package seam

import "unsafe"

// At passes the point. With no engine installed, that costs two atomic loads, as
// every function below.
func (p *Point) At() {
	if quiet(p) {
		return
	}
	if e := Installed(); e != nil {
		e.At(p)
	}
}

// Notify returns how often to send the notification at p.
func (p *Point) Notify() int {
	if quiet(p) {
		return 1
	}
	if e := Installed(); e != nil {
		return e.Notify(p)
	}
	return 1
}

// Fail reports whether the operation at p is to be taken for failed.
func (p *Point) Fail() bool {
	if quiet(p) {
		return false
	}
	if e := Installed(); e != nil {
		return e.Fail(p)
	}
	return false
}

// Value returns v, or what a fault makes of it.
func (p *Point) Value(v uint64) uint64 {
	if quiet(p) {
		return v
	}
	if e := Installed(); e != nil {
		return e.Value(p, v)
	}
	return v
}

// quiet reports whether a controller is at work to which points mean nothing, and
// notes that the point is passed.
//
//go:norace
func quiet(p *Point) bool {
	c := control.Load()
	if c == nil || !c.Quiet {
		return false
	}
	if c.running == goroutine() {
		c.Passed = p
	}
	return true
}

// Operate announces an atomic operation on x, whose point is p, and returns where
// to do it: at x, unless the engine's memory is weak.
//
//go:norace
func Operate(p *Point, x unsafe.Pointer, a Access) unsafe.Pointer {
	if c := control.Load(); c != nil && c.running == goroutine() { // Controlled, in this frame
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

// Published tells that the caller has done something that others can see, and goes on
// with code of its own: plain writes, perhaps, that should have come first.
//
//go:norace
func Published() {
	if c := control.Load(); c != nil && c.Publishing && c.running == goroutine() {
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
	if c := control.Load(); c != nil && c.Weak != nil && c.running == goroutine() {
		c.Weak.Ordered(order, failure)
	}
}

// Fence announces a fence, whose point is p.
//
//go:norace
func Fence(p *Point, order Order) {
	if c := control.Load(); c != nil && c.Weak != nil && c.running == goroutine() {
		c.Weak.Fence(p, order)
		return
	}
	p.At()
}
