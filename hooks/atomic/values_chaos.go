//go:build chaos

package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Bool is [atomic.Bool] with a point before each operation.
type Bool atomic.Bool

// Load passes atomic/load, then loads and returns the value.
func (x *Bool) Load() bool {
	return (*atomic.Bool)(seam.Operate(load, unsafe.Pointer(x), seam.Load|seam.Word32)).Load()
}

// Store passes atomic/store, then stores val.
func (x *Bool) Store(val bool) {
	(*atomic.Bool)(seam.Operate(store, unsafe.Pointer(x), seam.Store|seam.Word32)).Store(val)
	seam.Published()
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Bool) Swap(new bool) (old bool) {
	seam.Operate(swap, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Bool)(x).Swap(new))
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(x), seam.CAS|seam.Word32)
	return seam.Swapped((*atomic.Bool)(x).CompareAndSwap(old, new))
}

// Pointer is [atomic.Pointer] with a point before each operation.
type Pointer[T any] atomic.Pointer[T]

// Load passes atomic/load, then loads and returns the value.
func (x *Pointer[T]) Load() *T {
	return (*atomic.Pointer[T])(seam.Operate(load, unsafe.Pointer(x), seam.Load|seam.Pointer)).Load()
}

// Store passes atomic/store, then stores val.
func (x *Pointer[T]) Store(val *T) {
	(*atomic.Pointer[T])(seam.Operate(store, unsafe.Pointer(x), seam.Store|seam.Pointer)).Store(val)
	seam.Published()
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Pointer[T]) Swap(new *T) (old *T) {
	seam.Operate(swap, unsafe.Pointer(x), seam.Update|seam.Pointer)
	return seam.Updated((*atomic.Pointer[T])(x).Swap(new))
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(x), seam.CAS|seam.Pointer)
	return seam.Swapped((*atomic.Pointer[T])(x).CompareAndSwap(old, new))
}

// Value is [atomic.Value] with a point before each operation. It panics where the
// standard one does: on nil, and on values of different types.
type Value atomic.Value

// Load passes atomic/load, then loads and returns the value.
func (x *Value) Load() (val any) {
	seam.Operate(load, unsafe.Pointer(x), seam.Load)
	return (*atomic.Value)(x).Load()
}

// Store passes atomic/store, then stores val.
func (x *Value) Store(val any) {
	seam.Operate(store, unsafe.Pointer(x), seam.Store)
	(*atomic.Value)(x).Store(val)
	seam.Published()
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Value) Swap(new any) (old any) {
	seam.Operate(swap, unsafe.Pointer(x), seam.Store)
	return seam.Updated((*atomic.Value)(x).Swap(new))
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Value) CompareAndSwap(old, new any) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(x), seam.CAS)
	return seam.Swapped((*atomic.Value)(x).CompareAndSwap(old, new))
}
