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

// Uint32 is [atomic.Uint32] with a point before each operation.
type Uint32 atomic.Uint32

// Load passes atomic/load, then loads and returns the value.
func (x *Uint32) Load() uint32 {
	return (*atomic.Uint32)(seam.Operate(load, unsafe.Pointer(x), seam.Load|seam.Word32)).Load()
}

// Store passes atomic/store, then stores val.
func (x *Uint32) Store(val uint32) {
	(*atomic.Uint32)(seam.Operate(store, unsafe.Pointer(x), seam.Store|seam.Word32)).Store(val)
	seam.Published()
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Uint32) Swap(new uint32) (old uint32) {
	seam.Operate(swap, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Uint32)(x).Swap(new))
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(x), seam.CAS|seam.Word32)
	return seam.Swapped((*atomic.Uint32)(x).CompareAndSwap(old, new))
}

// Add passes atomic/add, then adds delta and returns the new value.
func (x *Uint32) Add(delta uint32) (new uint32) {
	seam.Operate(add, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Uint32)(x).Add(delta))
}

// And passes atomic/and, then clears the bits not in mask and returns the old value.
func (x *Uint32) And(mask uint32) (old uint32) {
	seam.Operate(and, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Uint32)(x).And(mask))
}

// Or passes atomic/or, then sets the bits in mask and returns the old value.
func (x *Uint32) Or(mask uint32) (old uint32) {
	seam.Operate(or, unsafe.Pointer(x), seam.Update|seam.Word32)
	return seam.Updated((*atomic.Uint32)(x).Or(mask))
}

// Uint64 is [atomic.Uint64] with a point before each operation. It has the standard type's 64-bit
// alignment on every platform.
type Uint64 atomic.Uint64

// Load passes atomic/load, then loads and returns the value.
func (x *Uint64) Load() uint64 {
	return (*atomic.Uint64)(seam.Operate(load, unsafe.Pointer(x), seam.Load|seam.Word64)).Load()
}

// Store passes atomic/store, then stores val.
func (x *Uint64) Store(val uint64) {
	(*atomic.Uint64)(seam.Operate(store, unsafe.Pointer(x), seam.Store|seam.Word64)).Store(val)
	seam.Published()
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Uint64) Swap(new uint64) (old uint64) {
	seam.Operate(swap, unsafe.Pointer(x), seam.Update|seam.Word64)
	return seam.Updated((*atomic.Uint64)(x).Swap(new))
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(x), seam.CAS|seam.Word64)
	return seam.Swapped((*atomic.Uint64)(x).CompareAndSwap(old, new))
}

// Add passes atomic/add, then adds delta and returns the new value.
func (x *Uint64) Add(delta uint64) (new uint64) {
	seam.Operate(add, unsafe.Pointer(x), seam.Update|seam.Word64)
	return seam.Updated((*atomic.Uint64)(x).Add(delta))
}

// And passes atomic/and, then clears the bits not in mask and returns the old value.
func (x *Uint64) And(mask uint64) (old uint64) {
	seam.Operate(and, unsafe.Pointer(x), seam.Update|seam.Word64)
	return seam.Updated((*atomic.Uint64)(x).And(mask))
}

// Or passes atomic/or, then sets the bits in mask and returns the old value.
func (x *Uint64) Or(mask uint64) (old uint64) {
	seam.Operate(or, unsafe.Pointer(x), seam.Update|seam.Word64)
	return seam.Updated((*atomic.Uint64)(x).Or(mask))
}

// Uintptr is [atomic.Uintptr] with a point before each operation.
type Uintptr atomic.Uintptr

// Load passes atomic/load, then loads and returns the value.
func (x *Uintptr) Load() uintptr {
	return (*atomic.Uintptr)(seam.Operate(load, unsafe.Pointer(x), seam.Load|seam.Word)).Load()
}

// Store passes atomic/store, then stores val.
func (x *Uintptr) Store(val uintptr) {
	(*atomic.Uintptr)(seam.Operate(store, unsafe.Pointer(x), seam.Store|seam.Word)).Store(val)
	seam.Published()
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Uintptr) Swap(new uintptr) (old uintptr) {
	seam.Operate(swap, unsafe.Pointer(x), seam.Update|seam.Word)
	return seam.Updated((*atomic.Uintptr)(x).Swap(new))
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(x), seam.CAS|seam.Word)
	return seam.Swapped((*atomic.Uintptr)(x).CompareAndSwap(old, new))
}

// Add passes atomic/add, then adds delta and returns the new value.
func (x *Uintptr) Add(delta uintptr) (new uintptr) {
	seam.Operate(add, unsafe.Pointer(x), seam.Update|seam.Word)
	return seam.Updated((*atomic.Uintptr)(x).Add(delta))
}

// And passes atomic/and, then clears the bits not in mask and returns the old value.
func (x *Uintptr) And(mask uintptr) (old uintptr) {
	seam.Operate(and, unsafe.Pointer(x), seam.Update|seam.Word)
	return seam.Updated((*atomic.Uintptr)(x).And(mask))
}

// Or passes atomic/or, then sets the bits in mask and returns the old value.
func (x *Uintptr) Or(mask uintptr) (old uintptr) {
	seam.Operate(or, unsafe.Pointer(x), seam.Update|seam.Word)
	return seam.Updated((*atomic.Uintptr)(x).Or(mask))
}
