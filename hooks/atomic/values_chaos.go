//go:build chaos

package atomic

import (
	"sync/atomic"

	"github.com/rouse-go/rouse/hooks"
)

// Bool is [atomic.Bool] with a point before each operation.
type Bool atomic.Bool

// Load passes atomic/load, then loads and returns the value.
func (x *Bool) Load() bool {
	hooks.At(load)
	return (*atomic.Bool)(x).Load()
}

// Store passes atomic/store, then stores val.
func (x *Bool) Store(val bool) {
	hooks.At(store)
	(*atomic.Bool)(x).Store(val)
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Bool) Swap(new bool) (old bool) {
	hooks.At(swap)
	return (*atomic.Bool)(x).Swap(new)
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	hooks.At(cas)
	return (*atomic.Bool)(x).CompareAndSwap(old, new)
}

// Pointer is [atomic.Pointer] with a point before each operation.
type Pointer[T any] atomic.Pointer[T]

// Load passes atomic/load, then loads and returns the value.
func (x *Pointer[T]) Load() *T {
	hooks.At(load)
	return (*atomic.Pointer[T])(x).Load()
}

// Store passes atomic/store, then stores val.
func (x *Pointer[T]) Store(val *T) {
	hooks.At(store)
	(*atomic.Pointer[T])(x).Store(val)
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Pointer[T]) Swap(new *T) (old *T) {
	hooks.At(swap)
	return (*atomic.Pointer[T])(x).Swap(new)
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	hooks.At(cas)
	return (*atomic.Pointer[T])(x).CompareAndSwap(old, new)
}

// Value is [atomic.Value] with a point before each operation. It panics where the
// standard one does: on nil, and on values of different types.
type Value atomic.Value

// Load passes atomic/load, then loads and returns the value.
func (x *Value) Load() (val any) {
	hooks.At(load)
	return (*atomic.Value)(x).Load()
}

// Store passes atomic/store, then stores val.
func (x *Value) Store(val any) {
	hooks.At(store)
	(*atomic.Value)(x).Store(val)
}

// Swap passes atomic/swap, then stores new and returns the previous value.
func (x *Value) Swap(new any) (old any) {
	hooks.At(swap)
	return (*atomic.Value)(x).Swap(new)
}

// CompareAndSwap passes atomic/cas, then swaps if the value is old. It never fails
// otherwise.
func (x *Value) CompareAndSwap(old, new any) (swapped bool) {
	hooks.At(cas)
	return (*atomic.Value)(x).CompareAndSwap(old, new)
}
