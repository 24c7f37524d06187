//go:build !chaos

package atomic

import (
	"sync/atomic"
	"unsafe"
)

// Bool is [atomic.Bool].
type Bool = atomic.Bool

// Int32 is [atomic.Int32].
type Int32 = atomic.Int32

// Int64 is [atomic.Int64].
type Int64 = atomic.Int64

// Uint32 is [atomic.Uint32].
type Uint32 = atomic.Uint32

// Uint64 is [atomic.Uint64].
type Uint64 = atomic.Uint64

// Uintptr is [atomic.Uintptr].
type Uintptr = atomic.Uintptr

// Pointer is [atomic.Pointer].
type Pointer[T any] = atomic.Pointer[T]

// Value is [atomic.Value].
type Value = atomic.Value

// LoadInt32 is [atomic.LoadInt32].
func LoadInt32(addr *int32) (val int32) {
	return atomic.LoadInt32(addr)
}

// LoadInt64 is [atomic.LoadInt64].
func LoadInt64(addr *int64) (val int64) {
	return atomic.LoadInt64(addr)
}

// LoadUint32 is [atomic.LoadUint32].
func LoadUint32(addr *uint32) (val uint32) {
	return atomic.LoadUint32(addr)
}

// LoadUint64 is [atomic.LoadUint64].
func LoadUint64(addr *uint64) (val uint64) {
	return atomic.LoadUint64(addr)
}

// LoadUintptr is [atomic.LoadUintptr].
func LoadUintptr(addr *uintptr) (val uintptr) {
	return atomic.LoadUintptr(addr)
}

// LoadPointer is [atomic.LoadPointer].
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) {
	return atomic.LoadPointer(addr)
}

// StoreInt32 is [atomic.StoreInt32].
func StoreInt32(addr *int32, val int32) {
	atomic.StoreInt32(addr, val)
}

// StoreInt64 is [atomic.StoreInt64].
func StoreInt64(addr *int64, val int64) {
	atomic.StoreInt64(addr, val)
}

// StoreUint32 is [atomic.StoreUint32].
func StoreUint32(addr *uint32, val uint32) {
	atomic.StoreUint32(addr, val)
}

// StoreUint64 is [atomic.StoreUint64].
func StoreUint64(addr *uint64, val uint64) {
	atomic.StoreUint64(addr, val)
}

// StoreUintptr is [atomic.StoreUintptr].
func StoreUintptr(addr *uintptr, val uintptr) {
	atomic.StoreUintptr(addr, val)
}

// StorePointer is [atomic.StorePointer].
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	atomic.StorePointer(addr, val)
}

// SwapInt32 is [atomic.SwapInt32].
func SwapInt32(addr *int32, new int32) (old int32) {
	return atomic.SwapInt32(addr, new)
}

// SwapInt64 is [atomic.SwapInt64].
func SwapInt64(addr *int64, new int64) (old int64) {
	return atomic.SwapInt64(addr, new)
}

// SwapUint32 is [atomic.SwapUint32].
func SwapUint32(addr *uint32, new uint32) (old uint32) {
	return atomic.SwapUint32(addr, new)
}

// SwapUint64 is [atomic.SwapUint64].
func SwapUint64(addr *uint64, new uint64) (old uint64) {
	return atomic.SwapUint64(addr, new)
}

// SwapUintptr is [atomic.SwapUintptr].
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	return atomic.SwapUintptr(addr, new)
}

// SwapPointer is [atomic.SwapPointer].
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	return atomic.SwapPointer(addr, new)
}

// CompareAndSwapInt32 is [atomic.CompareAndSwapInt32].
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	return atomic.CompareAndSwapInt32(addr, old, new)
}

// CompareAndSwapInt64 is [atomic.CompareAndSwapInt64].
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	return atomic.CompareAndSwapInt64(addr, old, new)
}

// CompareAndSwapUint32 is [atomic.CompareAndSwapUint32].
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	return atomic.CompareAndSwapUint32(addr, old, new)
}

// CompareAndSwapUint64 is [atomic.CompareAndSwapUint64].
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	return atomic.CompareAndSwapUint64(addr, old, new)
}

// CompareAndSwapUintptr is [atomic.CompareAndSwapUintptr].
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	return atomic.CompareAndSwapUintptr(addr, old, new)
}

// CompareAndSwapPointer is [atomic.CompareAndSwapPointer].
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	return atomic.CompareAndSwapPointer(addr, old, new)
}

// AddInt32 is [atomic.AddInt32].
func AddInt32(addr *int32, delta int32) (new int32) {
	return atomic.AddInt32(addr, delta)
}

// AddInt64 is [atomic.AddInt64].
func AddInt64(addr *int64, delta int64) (new int64) {
	return atomic.AddInt64(addr, delta)
}

// AddUint32 is [atomic.AddUint32].
func AddUint32(addr *uint32, delta uint32) (new uint32) {
	return atomic.AddUint32(addr, delta)
}

// AddUint64 is [atomic.AddUint64].
func AddUint64(addr *uint64, delta uint64) (new uint64) {
	return atomic.AddUint64(addr, delta)
}

// AddUintptr is [atomic.AddUintptr].
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	return atomic.AddUintptr(addr, delta)
}

// AndInt32 is [atomic.AndInt32].
func AndInt32(addr *int32, mask int32) (old int32) {
	return atomic.AndInt32(addr, mask)
}

// AndInt64 is [atomic.AndInt64].
func AndInt64(addr *int64, mask int64) (old int64) {
	return atomic.AndInt64(addr, mask)
}

// AndUint32 is [atomic.AndUint32].
func AndUint32(addr *uint32, mask uint32) (old uint32) {
	return atomic.AndUint32(addr, mask)
}

// AndUint64 is [atomic.AndUint64].
func AndUint64(addr *uint64, mask uint64) (old uint64) {
	return atomic.AndUint64(addr, mask)
}

// AndUintptr is [atomic.AndUintptr].
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	return atomic.AndUintptr(addr, mask)
}

// OrInt32 is [atomic.OrInt32].
func OrInt32(addr *int32, mask int32) (old int32) {
	return atomic.OrInt32(addr, mask)
}

// OrInt64 is [atomic.OrInt64].
func OrInt64(addr *int64, mask int64) (old int64) {
	return atomic.OrInt64(addr, mask)
}

// OrUint32 is [atomic.OrUint32].
func OrUint32(addr *uint32, mask uint32) (old uint32) {
	return atomic.OrUint32(addr, mask)
}

// OrUint64 is [atomic.OrUint64].
func OrUint64(addr *uint64, mask uint64) (old uint64) {
	return atomic.OrUint64(addr, mask)
}

// OrUintptr is [atomic.OrUintptr].
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	return atomic.OrUintptr(addr, mask)
}
