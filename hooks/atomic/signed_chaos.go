//go:build chaos

package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Int32 is [atomic.Int32] with a point before each operation.
type Int32 atomic.Int32

// Load passes atomic/load, then loads and returns the value.
func (x *Int32) Load() int32 {
	return (*atomic.Int32)(seam.Operate(load, unsafe.Pointer(x), seam.Load|seam.Word32)).Load()
}

// Store passes atomic/store, then stores val.
func (x *Int32) Store(val int32) {
	(*atomic.Int32)(seam.Operate(store, unsafe.Pointer(x), seam.Store|seam.Word32)).Store(val)
	seam.Published()
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Int32) Swap(new int32) (old int32) {
	seam.Operate(swap, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Int32)(x).Swap(new))
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(x), seam.CAS|seam.Word32)
	return seam.Swapped((*atomic.Int32)(x).CompareAndSwap(old, new))
}

// Add passes atomic/add, then adds delta and returns the new value.
func (x *Int32) Add(delta int32) (new int32) {
	seam.Operate(add, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Int32)(x).Add(delta))
}

// And passes atomic/and, then clears the bits not in mask and returns the old value.
func (x *Int32) And(mask int32) (old int32) {
	seam.Operate(and, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Int32)(x).And(mask))
}

// Or passes atomic/or, then sets the bits in mask and returns the old value.
func (x *Int32) Or(mask int32) (old int32) {
	seam.Operate(or, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Int32)(x).Or(mask))
}

// Int64 is [atomic.Int64] with a point before each operation. It has the standard type's 64-bit
// alignment on every platform.
type Int64 atomic.Int64

// Load passes atomic/load, then loads and returns the value.
func (x *Int64) Load() int64 {
	return (*atomic.Int64)(seam.Operate(load, unsafe.Pointer(x), seam.Load|seam.Word64)).Load()
}

// Store passes atomic/store, then stores val.
func (x *Int64) Store(val int64) {
	(*atomic.Int64)(seam.Operate(store, unsafe.Pointer(x), seam.Store|seam.Word64)).Store(val)
	seam.Published()
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Int64) Swap(new int64) (old int64) {
	seam.Operate(swap, unsafe.Pointer(x), seam.Update|seam.Word64)
	return seam.Updated((*atomic.Int64)(x).Swap(new))
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(x), seam.CAS|seam.Word64)
	return seam.Swapped((*atomic.Int64)(x).CompareAndSwap(old, new))
}

// Add passes atomic/add, then adds delta and returns the new value.
func (x *Int64) Add(delta int64) (new int64) {
	seam.Operate(add, unsafe.Pointer(x), seam.Update|seam.Word64)
	return seam.Updated((*atomic.Int64)(x).Add(delta))
}

// And passes atomic/and, then clears the bits not in mask and returns the old value.
func (x *Int64) And(mask int64) (old int64) {
	seam.Operate(and, unsafe.Pointer(x), seam.Update|seam.Word64)
	return seam.Updated((*atomic.Int64)(x).And(mask))
}

// Or passes atomic/or, then sets the bits in mask and returns the old value.
func (x *Int64) Or(mask int64) (old int64) {
	seam.Operate(or, unsafe.Pointer(x), seam.Update|seam.Word64)
	return seam.Updated((*atomic.Int64)(x).Or(mask))
}
