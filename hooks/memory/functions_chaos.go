//go:build chaos

package memory

import (
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/internal/seam"
)

// LoadInt32 is x.Load().
func LoadInt32(x *atomic.Int32, order Order) int32 {
	load("LoadInt32", order)
	return x.Load()
}

// LoadInt64 is x.Load().
func LoadInt64(x *atomic.Int64, order Order) int64 {
	load("LoadInt64", order)
	return x.Load()
}

// LoadUint32 is x.Load().
func LoadUint32(x *atomic.Uint32, order Order) uint32 {
	load("LoadUint32", order)
	return x.Load()
}

// LoadUint64 is x.Load().
func LoadUint64(x *atomic.Uint64, order Order) uint64 {
	load("LoadUint64", order)
	return x.Load()
}

// LoadUintptr is x.Load().
func LoadUintptr(x *atomic.Uintptr, order Order) uintptr {
	load("LoadUintptr", order)
	return x.Load()
}

// LoadBool is x.Load().
func LoadBool(x *atomic.Bool, order Order) bool {
	load("LoadBool", order)
	return x.Load()
}

// LoadPointer is x.Load().
func LoadPointer[T any](x *atomic.Pointer[T], order Order) *T {
	load("LoadPointer", order)
	return x.Load()
}

// StoreInt32 is x.Store(val).
func StoreInt32(x *atomic.Int32, val int32, order Order) {
	store("StoreInt32", order)
	x.Store(val)
}

// StoreInt64 is x.Store(val).
func StoreInt64(x *atomic.Int64, val int64, order Order) {
	store("StoreInt64", order)
	x.Store(val)
}

// StoreUint32 is x.Store(val).
func StoreUint32(x *atomic.Uint32, val uint32, order Order) {
	store("StoreUint32", order)
	x.Store(val)
}

// StoreUint64 is x.Store(val).
func StoreUint64(x *atomic.Uint64, val uint64, order Order) {
	store("StoreUint64", order)
	x.Store(val)
}

// StoreUintptr is x.Store(val).
func StoreUintptr(x *atomic.Uintptr, val uintptr, order Order) {
	store("StoreUintptr", order)
	x.Store(val)
}

// StoreBool is x.Store(val).
func StoreBool(x *atomic.Bool, val bool, order Order) {
	store("StoreBool", order)
	x.Store(val)
}

// StorePointer is x.Store(val).
func StorePointer[T any](x *atomic.Pointer[T], val *T, order Order) {
	store("StorePointer", order)
	x.Store(val)
}

// SwapInt32 is x.Swap(new).
func SwapInt32(x *atomic.Int32, new int32, order Order) (old int32) {
	update("SwapInt32", order)
	return x.Swap(new)
}

// SwapInt64 is x.Swap(new).
func SwapInt64(x *atomic.Int64, new int64, order Order) (old int64) {
	update("SwapInt64", order)
	return x.Swap(new)
}

// SwapUint32 is x.Swap(new).
func SwapUint32(x *atomic.Uint32, new uint32, order Order) (old uint32) {
	update("SwapUint32", order)
	return x.Swap(new)
}

// SwapUint64 is x.Swap(new).
func SwapUint64(x *atomic.Uint64, new uint64, order Order) (old uint64) {
	update("SwapUint64", order)
	return x.Swap(new)
}

// SwapUintptr is x.Swap(new).
func SwapUintptr(x *atomic.Uintptr, new uintptr, order Order) (old uintptr) {
	update("SwapUintptr", order)
	return x.Swap(new)
}

// SwapBool is x.Swap(new).
func SwapBool(x *atomic.Bool, new bool, order Order) (old bool) {
	update("SwapBool", order)
	return x.Swap(new)
}

// SwapPointer is x.Swap(new).
func SwapPointer[T any](x *atomic.Pointer[T], new *T, order Order) (old *T) {
	update("SwapPointer", order)
	return x.Swap(new)
}

// CompareAndSwapInt32 is x.CompareAndSwap(old, new). If it does not swap, it
// is a load: that has the order failure.
func CompareAndSwapInt32(x *atomic.Int32, old, new int32, success, failure Order) (swapped bool) {
	compareAndSwap("CompareAndSwapInt32", success, failure)
	return x.CompareAndSwap(old, new)
}

// CompareAndSwapInt64 is x.CompareAndSwap(old, new). If it does not swap, it
// is a load: that has the order failure.
func CompareAndSwapInt64(x *atomic.Int64, old, new int64, success, failure Order) (swapped bool) {
	compareAndSwap("CompareAndSwapInt64", success, failure)
	return x.CompareAndSwap(old, new)
}

// CompareAndSwapUint32 is x.CompareAndSwap(old, new). If it does not swap, it
// is a load: that has the order failure.
func CompareAndSwapUint32(x *atomic.Uint32, old, new uint32, success, failure Order) (swapped bool) {
	compareAndSwap("CompareAndSwapUint32", success, failure)
	return x.CompareAndSwap(old, new)
}

// CompareAndSwapUint64 is x.CompareAndSwap(old, new). If it does not swap, it
// is a load: that has the order failure.
func CompareAndSwapUint64(x *atomic.Uint64, old, new uint64, success, failure Order) (swapped bool) {
	compareAndSwap("CompareAndSwapUint64", success, failure)
	return x.CompareAndSwap(old, new)
}

// CompareAndSwapUintptr is x.CompareAndSwap(old, new). If it does not swap, it
// is a load: that has the order failure.
func CompareAndSwapUintptr(x *atomic.Uintptr, old, new uintptr, success, failure Order) (swapped bool) {
	compareAndSwap("CompareAndSwapUintptr", success, failure)
	return x.CompareAndSwap(old, new)
}

// CompareAndSwapBool is x.CompareAndSwap(old, new). If it does not swap, it
// is a load: that has the order failure.
func CompareAndSwapBool(x *atomic.Bool, old, new bool, success, failure Order) (swapped bool) {
	compareAndSwap("CompareAndSwapBool", success, failure)
	return x.CompareAndSwap(old, new)
}

// CompareAndSwapPointer is x.CompareAndSwap(old, new). If it does not swap, it
// is a load: that has the order failure.
func CompareAndSwapPointer[T any](x *atomic.Pointer[T], old, new *T, success, failure Order) (swapped bool) {
	compareAndSwap("CompareAndSwapPointer", success, failure)
	return x.CompareAndSwap(old, new)
}

// AddInt32 is x.Add(delta).
func AddInt32(x *atomic.Int32, delta int32, order Order) (new int32) {
	update("AddInt32", order)
	return x.Add(delta)
}

// AddInt64 is x.Add(delta).
func AddInt64(x *atomic.Int64, delta int64, order Order) (new int64) {
	update("AddInt64", order)
	return x.Add(delta)
}

// AddUint32 is x.Add(delta).
func AddUint32(x *atomic.Uint32, delta uint32, order Order) (new uint32) {
	update("AddUint32", order)
	return x.Add(delta)
}

// AddUint64 is x.Add(delta).
func AddUint64(x *atomic.Uint64, delta uint64, order Order) (new uint64) {
	update("AddUint64", order)
	return x.Add(delta)
}

// AddUintptr is x.Add(delta).
func AddUintptr(x *atomic.Uintptr, delta uintptr, order Order) (new uintptr) {
	update("AddUintptr", order)
	return x.Add(delta)
}

// AndInt32 is x.And(mask).
func AndInt32(x *atomic.Int32, mask int32, order Order) (old int32) {
	update("AndInt32", order)
	return x.And(mask)
}

// AndInt64 is x.And(mask).
func AndInt64(x *atomic.Int64, mask int64, order Order) (old int64) {
	update("AndInt64", order)
	return x.And(mask)
}

// AndUint32 is x.And(mask).
func AndUint32(x *atomic.Uint32, mask uint32, order Order) (old uint32) {
	update("AndUint32", order)
	return x.And(mask)
}

// AndUint64 is x.And(mask).
func AndUint64(x *atomic.Uint64, mask uint64, order Order) (old uint64) {
	update("AndUint64", order)
	return x.And(mask)
}

// AndUintptr is x.And(mask).
func AndUintptr(x *atomic.Uintptr, mask uintptr, order Order) (old uintptr) {
	update("AndUintptr", order)
	return x.And(mask)
}

// OrInt32 is x.Or(mask).
func OrInt32(x *atomic.Int32, mask int32, order Order) (old int32) {
	update("OrInt32", order)
	return x.Or(mask)
}

// OrInt64 is x.Or(mask).
func OrInt64(x *atomic.Int64, mask int64, order Order) (old int64) {
	update("OrInt64", order)
	return x.Or(mask)
}

// OrUint32 is x.Or(mask).
func OrUint32(x *atomic.Uint32, mask uint32, order Order) (old uint32) {
	update("OrUint32", order)
	return x.Or(mask)
}

// OrUint64 is x.Or(mask).
func OrUint64(x *atomic.Uint64, mask uint64, order Order) (old uint64) {
	update("OrUint64", order)
	return x.Or(mask)
}

// OrUintptr is x.Or(mask).
func OrUintptr(x *atomic.Uintptr, mask uintptr, order Order) (old uintptr) {
	update("OrUintptr", order)
	return x.Or(mask)
}

// Fence orders what is above it before what is below it, and passes
// memory/fence. It does nothing else, as Go's atomics need no fence, unless the
// engine's memory is weak.
func Fence(order Order) {
	fence(order)
	seam.Fence(between, seam.Order(order))
}
