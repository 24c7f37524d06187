package seam

import "unsafe"

// A Controller is an engine that runs tasks one at a time and models what they wait for. Its
// methods are called by the running task only, and return when that task may do what it announced:
// until its next call, no other task runs.
//
// x is the address of the object. The engine keeps it alive for the rest of the execution, so that
// no other object can have it.
//
// If a method returns do, the caller then also does the real operation, which does not wait: the
// race detector sees it, and code without hooks finds its effect. do is false only while an
// execution is being abandoned, when the real operation could fail.
type Controller interface {
	Engine

	// Access announces an atomic operation, and returns where to do it: at x, unless the memory is
	// weak.
	Access(p *Point, x unsafe.Pointer, a Access) unsafe.Pointer
	// Swapped is called with the result of the last announced compare-and-swap.
	Swapped(ok bool)
	// Published is called when the last announced operation is done and visible to other tasks.
	Published()
	// Yield lets others go first.
	Yield()

	// A mutex, or the writers' side of a read-write mutex.
	Lock(p *Point, x unsafe.Pointer) (do bool)
	TryLock(p *Point, x unsafe.Pointer) (do bool)
	Unlock(p *Point, x unsafe.Pointer) (do bool)

	// A read-write mutex.
	RWLock(p *Point, x unsafe.Pointer) (do bool)
	RWTryLock(p *Point, x unsafe.Pointer) (do bool)
	RWUnlock(p *Point, x unsafe.Pointer) (do bool)
	RLock(p *Point, x unsafe.Pointer) (do bool)
	TryRLock(p *Point, x unsafe.Pointer) (do bool)
	RUnlock(p *Point, x unsafe.Pointer) (do bool)

	// A condition variable: Enqueue makes the caller a waiter, Await waits until it is signalled,
	// Signal wakes the eldest waiter or all of them.
	Enqueue(p *Point, x unsafe.Pointer)
	Await(p *Point, x unsafe.Pointer)
	Signal(p *Point, x unsafe.Pointer, all bool)
	// Dropped reports that a fault has dropped a signal of x.
	Dropped(x unsafe.Pointer)

	// A wait group.
	Count(p *Point, x unsafe.Pointer, delta int)
	WaitZero(p *Point, x unsafe.Pointer) (do bool)

	// A once: OnceEnter reports whether the caller must run the function and then call
	// OnceLeave.
	OnceEnter(p *Point, x unsafe.Pointer) (run bool)
	OnceLeave(p *Point, x unsafe.Pointer)

	// A pool of free objects, last in, first out. Take returns nil if it is empty.
	Give(p *Point, x unsafe.Pointer, v any)
	Take(p *Point, x unsafe.Pointer) any

	// Communicate waits until one of the cases is ready and returns its index, or -1 if none is
	// ready and the select has a default. Unless done, the caller does the real operation.
	Communicate(p *Point, cases []Case, hasDefault bool) (chosen int, done bool)
	// CloseChan announces the closing of channel x.
	CloseChan(p *Point, x unsafe.Pointer)
	// ChanClosed reports that the step in progress closes channel x.
	ChanClosed(x unsafe.Pointer)
	// Changed reports that channel x has got a value from outside the model.
	Changed(x unsafe.Pointer)

	// Outside is called when a goroutine that is not the running task passes a hook, by any number
	// of goroutines at once. The goroutine then does the operation as if there were no controller.
	Outside()
	// AwaitOutside makes a goroutine that an execution has started, and that is not a task, wait
	// until try returns true, or end with the execution. For all others it returns false at once.
	AwaitOutside(try func() bool) bool

	// Time is virtual, in nanoseconds since the execution began.
	Now() int64
	Sleep(p *Point, d int64)
	// Arm starts the timer x: after d, and then every period unless that is 0, the engine calls fire,
	// or makes a task of it. Disarm stops it. Both report whether it was running.
	Arm(p *Point, x unsafe.Pointer, d, period int64, fire func(), task bool) (was bool)
	Disarm(p *Point, x unsafe.Pointer) (was bool)
}

// A Weak is a controller whose memory is weaker than Go's: it uses the orders that operations
// declare.
type Weak interface {
	// Ordered gives the next operation its order.
	Ordered(order, failure Order)
	// Fence announces a fence.
	Fence(p *Point, order Order)
}

// An Access describes an atomic operation: its kind and the word that it accesses.
type Access uint8

// The kinds of access. A compare-and-swap that fails is a load.
const (
	Load Access = iota
	Store
	CAS
	Walk   // a load that continues where the last one ended, and does not repeat it
	Update // swap, add, and, or: a store that loads

	Kinds Access = 7 // masks them
)

// The accessed word. Without one, the object is not a variable, or its values cannot be kept by an
// engine.
const (
	Word32  Access = 1 << 3
	Word64  Access = 2 << 3
	Pointer Access = 3 << 3
	Word    Access = Access(unsafe.Sizeof(uintptr(0))/4) * Word32 // a uintptr

	Words Access = 3 << 3 // masks them
)

// A Control is a controller at work.
type Control struct {
	// running is the goroutine of the running task. Every other goroutine is Outside, and may read an
	// old value, but never its own number. It is a plain word because the race detector would see an
	// atomic one as an edge between tasks.
	running uintptr
	// Quiet means that hook points do nothing, so the engine need not be called. Passed is the point
	// that the running task passed last.
	Quiet bool
	// Publishing means that Published must be called in this execution.
	Publishing bool
	Passed     *Point
	// Weak is the controller, if its memory is weak.
	Weak Weak
	Controller
}

// Running reports whether the calling goroutine is the running task.
//
//go:norace
func (c *Control) Running() bool { return c.running == goroutine() }

//go:norace
func (c *Control) SetRunning(g uintptr) { c.running = g }

// InControl reports whether a controller is installed; any goroutine may call it.
func InControl() bool { return controlling() != nil }

// AwaitOutside calls Controller.AwaitOutside. The caller is about to wait and is not a task.
func AwaitOutside(try func() bool) bool {
	c := controlling()
	return c != nil && c.AwaitOutside(try)
}

// TakeControl makes c the engine of this process, like Install.
func TakeControl(c *Control) (release func(), ok bool) {
	return install(&installation{c.Controller, c})
}

// Controlled returns the controller if the calling goroutine is its running task. Otherwise it
// notifies the controller that the caller is outside, and returns nil. Without a controller it
// costs an atomic load.
//
//go:norace
func Controlled() *Control {
	c := controlling()
	if c != nil && c.running != goroutine() {
		c.Outside()
		return nil
	}
	return c
}
