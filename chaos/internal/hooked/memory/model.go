package memory

import (
	"sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// A Model is one weak memory. Its methods are called by the running task, between its operations or
// between the choice of one and its end.
type Model interface {
	// Reset forgets the last execution.
	Reset()
	// Spawned makes child know what parent knows.
	Spawned(parent, child *core.Task)
	// Load, Store, Update and Swapped are the operations on a variable; Update also announces a
	// compare-and-swap, whose end is Swapped. Load and Store return the address to do it at.
	Load(v Variable, order seam.Order) unsafe.Pointer
	Store(v Variable, order seam.Order) unsafe.Pointer
	Update(v Variable, order seam.Order)
	Swapped(v Variable, ok bool, order, failure seam.Order)
	// Fence is called at a fence of the current task.
	Fence(order seam.Order)
	// Ended is called at the end of a task, whose last step is not over yet.
	Ended(t *core.Task)
	// Drain is called before any other synchronisation of the current task.
	Drain()
	// Acquire and Release are the halves of a synchronisation through o.
	Acquire(t *core.Task, o *core.Object)
	Release(t *core.Task, o *core.Object)
	// Idle is called when no task can continue, and reports whether that has changed.
	Idle() bool
	// Flush makes the step of a store buffer.
	Flush(t *core.Task)
	// FlushAll lets all stores reach memory.
	FlushAll()
}

// A Variable is the target of an atomic operation.
type Variable struct {
	Point  *seam.Point
	X      unsafe.Pointer
	Access seam.Access
}

// A Machine makes the steps of a model, on the stack of the current task.
type Machine interface {
	// Step announces an operation on a variable, and returns when the strategy has chosen the task.
	Step(kind strategy.Kind, v Variable) (*core.Task, *core.Object)
	// ArriveAlone announces a step of t that has no object, and returns when the strategy has chosen the task.
	ArriveAlone(t *core.Task, kind strategy.Kind)
	// Access is the operation as Go's memory has it: it reads and writes what is newest.
	Access(v Variable)
}

// A Base is what all models have.
type Base struct {
	*core.Engine
	History *History
	Machine Machine
}

// noted sets the note of the last event, if there is a trace.
//
//go:norace
func (m *Base) noted(text string) {
	if n := len(m.Traced); m.Tracing && n > 0 {
		m.Traced[n-1].Note = text
	}
}

// TSO returns the total store order.
func TSO(b *Base) Model { return &tso{Base: b} }

// Views returns the view machine.
func Views(b *Base) Model { return &views{Base: b} }

// copyWord copies a value, hidden from the race detector, which was informed of the order where the
// value was stored.
//
//go:norace
func copyWord(to, from unsafe.Pointer, a seam.Access) {
	racing.Hide()
	switch a & seam.Words {
	case seam.Word32:
		atomic.StoreUint32((*uint32)(to), atomic.LoadUint32((*uint32)(from)))
	case seam.Word64:
		atomic.StoreUint64((*uint64)(to), atomic.LoadUint64((*uint64)(from)))
	case seam.Pointer:
		atomic.StorePointer((*unsafe.Pointer)(to), atomic.LoadPointer((*unsafe.Pointer)(from)))
	}
	racing.Show()
}

// A value holds what a variable has held, or will hold.
type value struct {
	word    atomic.Uint64 // aligned for all words
	pointer unsafe.Pointer
}

// at returns the address for operations of that access.
//
//go:norace
func (v *value) at(a seam.Access) unsafe.Pointer {
	if a&seam.Words == seam.Pointer {
		return unsafe.Pointer(&v.pointer)
	}
	return unsafe.Pointer(&v.word)
}

// reused takes one of the spare values, or makes one.
//
//go:norace
func reused[T any](spare *[]*T) *T {
	n := len(*spare)
	if n == 0 {
		return new(T)
	}
	s := (*spare)[n-1]
	*spare = (*spare)[:n-1]
	return s
}
