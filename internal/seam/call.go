package seam

import "unsafe"

// At passes the point. With no engine installed, that costs one atomic load; so do Notify, Fail and
// Value.
func (p *Point) At() {
	if e := engineFor(p); e != nil {
		e.At(p)
	}
}

// Notify returns how often to send the notification at p.
func (p *Point) Notify() int {
	if e := engineFor(p); e != nil {
		return e.Notify(p)
	}
	return 1
}

// Fail reports whether the operation at p is to be treated as failed.
func (p *Point) Fail() bool {
	if e := engineFor(p); e != nil {
		return e.Fail(p)
	}
	return false
}

// Value returns v, or the value that a fault turns it into.
func (p *Point) Value(v uint64) uint64 {
	if e := engineFor(p); e != nil {
		return e.Value(p, v)
	}
	return v
}

// engineFor returns the engine that is to be called at p, or nil. For a quiet controller it only
// records that the running task has passed p.
//
//go:norace
func engineFor(p *Point) Engine {
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

// Operate announces an atomic operation on x, whose point is p, and returns where to do it: at x,
// unless the engine's memory is weak. With no engine installed, that costs one atomic load.
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

// Swapped reports to the engine whether the last announced compare-and-swap succeeded, and
// returns ok.
func Swapped(ok bool) bool {
	if c := Controlled(); c != nil {
		c.Swapped(ok)
		if ok && c.Publishing {
			c.Published()
		}
	}
	return ok
}

// Published is called after an operation that other tasks can see, before the plain code of the
// caller that follows, which may have writes that should have come first.
//
//go:norace
func Published() {
	if c := controlling(); c != nil && c.Publishing && c.running == goroutine() {
		c.Controller.Published()
	}
}

// Updated is Published for an update of an atomic variable, and returns its result v.
func Updated[T any](v T) T {
	Published()
	return v
}

// Ordered gives the operation that the caller announces next its order, and its order if it is a
// compare-and-swap that fails. Unless the memory is weak it does nothing, and costs an atomic load.
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

// A Chan is the readable state of a real channel. A channel that is received from also has
// TryReceive() bool.
type Chan interface {
	Len() int
	Cap() int
}

// A Case is one communication that a task is ready for.
type Case struct {
	Chan Chan
	X    unsafe.Pointer // the channel itself; nil is never ready
	Send bool           // otherwise it receives
	// Value points to the value to send, or to where to put the received one. OK, if not nil, is set
	// to whether the received value was sent.
	Value unsafe.Pointer
	OK    *bool
	// Copy copies a value of the channel's type.
	Copy func(to, from unsafe.Pointer)
}

// An Order is a memory order: hooks/memory defines the orders.
type Order uint8

// The orders, weakest first, as far as they can be compared.
const (
	Relaxed Order = iota
	Acquire
	Release
	AcqRel
	SeqCst
)

// Acquires reports whether code after a load of this order sees the effects of code before the store.
func (o Order) Acquires() bool { return o == Acquire || o >= AcqRel }

// Releases reports whether code after a matching load sees the effects of code before a store of this order.
func (o Order) Releases() bool { return o >= Release }
