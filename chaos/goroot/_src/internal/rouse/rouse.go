// Package rouse is how packages outside of the runtime stop at their operations. The functions do
// nothing unless a goroutine of a group calls them; callers look at On first.
//
// obj is the address of the object that an operation is about. One on the stack of the caller is seen
// by nobody else, so its operations are no points.
package rouse

import "unsafe" // and linkname

// On is not 0 while a group runs.
var On uint32

// Collections counts how often tasks have called runtime.GC.
var Collections uint64

// PoolMark is the first word of a sync.Pool that has been used, and PoolWords is how many of its words, this one and those
// after it, say what the pool holds: the next execution finds nothing of it.
const (
	PoolMark  = 0x7c3f_91d6
	PoolWords = 8
)

// Execution is what package testing keeps of an execution: a test leads to it, but cannot use it.
var Execution unsafe.Pointer

// Made is called with each temporary folder that a test has made. The worker has it written down, for the case that it
// is killed before the test can remove it.
var Made = func(dir string, there bool) {}

// Point is called before an operation that others could see.
func Point(op uint8, obj uintptr) { Await(op, obj, nil, 0) }

// Await is Point for an operation that cannot be done while *word&busy is not 0: the caller goes on
// when it can.
//
//go:linkname Await
//go:noescape
func Await(op uint8, obj uintptr, word *int32, busy int32)

// Failed is called after an operation that has done no more than read: a compare-and-swap that
// failed, a TryLock that got nothing.
//
//go:linkname Failed
func Failed()

// After is called directly after an operation that others can see, such as an unlock or a store: the
// plain code that follows may then come after what others do.
//
//go:linkname After
func After(op uint8, obj uintptr)

// Transfer is called before a read or a write of a file, which waits for others of that file.
//
//go:linkname Transfer
func Transfer(file, fd uintptr, reads bool)

// Quiet(1) is called before a region without points, Quiet(-1) after it.
//
//go:linkname Quiet
func Quiet(d int32)

// Aside reports an operation that is no point to a search for all orders, which is to know that there is another one: see
// control.Scheduler, also for the kinds Begin and Gosched.
//
//go:linkname Aside
func Aside(op uint8, obj uintptr)

// Asides reports whether that is the case.
//
//go:linkname Asides
func Asides() bool

// QuietAside is Quiet for a region whose operations are reported as by Aside.
//
//go:linkname QuietAside
func QuietAside(d int32)

// Controlled returns the number of the group that the caller belongs to, or 0.
//
//go:linkname Controlled
func Controlled() uint64

// Drew notes that the caller, if it is controlled, has drawn at random.
//
//go:linkname Drew
func Drew()

// Draw draws at random, for a caller that is controlled, what decides an order that it sees.
//
//go:linkname Draw
func Draw() uint64

// Pooled is called by a task that uses a sync.Pool, where *by is 0 at first, and has got what is in it or not: it might
// have got something else.
//
//go:linkname Pooled
func Pooled(by *int32, got bool)

// TracePool is called by a task that puts an item into a sync.Pool, or gets one; item is nil if there is none to get.
//
//go:linkname TracePool
func TracePool(pool, item unsafe.Pointer, put bool)

// Note is called with each environment variable and file that the process asks package os for: see the runtime.
//
//go:linkname Note
//go:noescape
func Note(kind byte, name string)

// Notes reports whether Note is to be called.
//
//go:linkname Notes
func Notes() bool

// Operations, as numbers of strategy.Kind; a test compares.
const (
	Begin         uint8 = 0
	Gosched       uint8 = 4 // Yield
	Load          uint8 = 5
	Store         uint8 = 6
	CAS           uint8 = 7
	Lock          uint8 = 8
	TryLock       uint8 = 9
	Unlock        uint8 = 10
	RLock         uint8 = 11
	TryRLock      uint8 = 12
	RUnlock       uint8 = 13
	Wait          uint8 = 15
	Signal        uint8 = 16
	Once          uint8 = 17
	Send          uint8 = 18
	Recv          uint8 = 19
	Close         uint8 = 20
	Select        uint8 = 21
	Sleep         uint8 = 22
	AfterDone     uint8 = 26
	Syscall       uint8 = 28
	SyscallRead   uint8 = 29
	RMW           uint8 = Store
	WLock         uint8 = Lock
	TryWLock      uint8 = TryLock
	WUnlock       uint8 = Unlock
	WGAdd         uint8 = Signal
	WGWait        uint8 = Wait
	CondWait      uint8 = Signal // joins the queue; it parks later
	CondSignal    uint8 = Signal
	CondBroadcast uint8 = Signal
	OnceDo        uint8 = Once
	MapRead       uint8 = Load
	MapWrite      uint8 = Store
	PoolGet       uint8 = Store
	PoolPut       uint8 = Store
)
