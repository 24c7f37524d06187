package seam

import "unsafe"

// A Controller is an engine that runs tasks one at a time and models what they wait for. Its
// methods are called by the running task only, and return when that task may do what it announced:
// until its next call, no other task runs.
//
// x is the address of the object. The engine keeps it alive for the rest of the execution, so that
// no other object can have it.
//
// Where a method reports do, the caller then does the real operation, too, which does not wait: it
// is what the race detector sees, and what code without hooks finds afterwards. It is false only
// while an execution is being abandoned, when the real operation could fail.
type Controller interface {
	Engine

	// Access announces an atomic operation, and returns where to do it: at x, unless the memory is
	// weak.
	Access(p *Point, x unsafe.Pointer, a Access) unsafe.Pointer
	// Swapped reports whether the compare-and-swap that was announced last has swapped.
	Swapped(ok bool)
	// Published is called when the operation announced last has been done, and other tasks can see
	// it.
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

	// A once: OnceEnter reports whether the caller is to run the function, and then
	// OnceLeave follows.
	OnceEnter(p *Point, x unsafe.Pointer) (run bool)
	OnceLeave(p *Point, x unsafe.Pointer)

	// A pool of free objects, last in, first out. Take returns nil if it is empty.
	Give(p *Point, x unsafe.Pointer, v any)
	Take(p *Point, x unsafe.Pointer) any

	// Communicate waits until one of the cases can be done, and chooses one of those, or -1 if there
	// is none and the select has a default. If it is not done yet, the caller does the real
	// operation.
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
	// until try returns true, or end when the execution does. It returns false at once to all others.
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

// An Access is what an atomic operation does, and on what: a kind and a Word.
type Access uint8

// The kinds of access. A compare-and-swap that fails is a load.
const (
	Load Access = iota
	Store
	CAS
	Walk   // a load that continues where the last one ended: no repetition of it
	Update // swap, add, and, or: a store that loads

	Kinds Access = 7 // masks them
)

// What is accessed. Without a word it is not a variable, or not one whose values an engine could
// keep.
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
	// old value, but never its own number. It is a plain word: to the race detector, an atomic one
	// would be an edge between tasks.
	running uintptr
	// Quiet: hook points do nothing, so the engine need not be called. The one passed last by the
	// running task is Passed.
	Quiet bool
	// Publishing: Published is to be called in this execution.
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

// AwaitOutside is the controller's. Its callers are about to wait, and are not tasks.
func AwaitOutside(try func() bool) bool {
	c := controlling()
	return c != nil && c.AwaitOutside(try)
}

// TakeControl makes c the engine of this process, like Install.
func TakeControl(c *Control) (release func(), ok bool) {
	return install(&installation{c.Controller, c})
}

// Controlled returns the controller if the calling goroutine is the task that it runs, and nil
// otherwise; then the controller is informed that the caller is outside. Without a controller it
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
