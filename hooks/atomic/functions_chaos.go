//go:build chaos

package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// LoadInt32 passes atomic/load, then is [atomic.LoadInt32].
func LoadInt32(addr *int32) (val int32) {
	return atomic.LoadInt32((*int32)(seam.Operate(load, unsafe.Pointer(addr), seam.Load|seam.Word32)))
}

// LoadInt64 passes atomic/load, then is [atomic.LoadInt64].
func LoadInt64(addr *int64) (val int64) {
	return atomic.LoadInt64((*int64)(seam.Operate(load, unsafe.Pointer(addr), seam.Load|seam.Word64)))
}

// LoadUint32 passes atomic/load, then is [atomic.LoadUint32].
func LoadUint32(addr *uint32) (val uint32) {
	return atomic.LoadUint32((*uint32)(seam.Operate(load, unsafe.Pointer(addr), seam.Load|seam.Word32)))
}

// LoadUint64 passes atomic/load, then is [atomic.LoadUint64].
func LoadUint64(addr *uint64) (val uint64) {
	return atomic.LoadUint64((*uint64)(seam.Operate(load, unsafe.Pointer(addr), seam.Load|seam.Word64)))
}

// LoadUintptr passes atomic/load, then is [atomic.LoadUintptr].
func LoadUintptr(addr *uintptr) (val uintptr) {
	return atomic.LoadUintptr((*uintptr)(seam.Operate(load, unsafe.Pointer(addr), seam.Load|seam.Word)))
}

// LoadPointer passes atomic/load, then is [atomic.LoadPointer].
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) {
	return atomic.LoadPointer((*unsafe.Pointer)(seam.Operate(load, unsafe.Pointer(addr), seam.Load|seam.Pointer)))
}

// StoreInt32 passes atomic/store, then is [atomic.StoreInt32].
func StoreInt32(addr *int32, val int32) {
	atomic.StoreInt32((*int32)(seam.Operate(store, unsafe.Pointer(addr), seam.Store|seam.Word32)), val)
	seam.Published()
}

// StoreInt64 passes atomic/store, then is [atomic.StoreInt64].
func StoreInt64(addr *int64, val int64) {
	atomic.StoreInt64((*int64)(seam.Operate(store, unsafe.Pointer(addr), seam.Store|seam.Word64)), val)
	seam.Published()
}

// StoreUint32 passes atomic/store, then is [atomic.StoreUint32].
func StoreUint32(addr *uint32, val uint32) {
	atomic.StoreUint32((*uint32)(seam.Operate(store, unsafe.Pointer(addr), seam.Store|seam.Word32)), val)
	seam.Published()
}

// StoreUint64 passes atomic/store, then is [atomic.StoreUint64].
func StoreUint64(addr *uint64, val uint64) {
	atomic.StoreUint64((*uint64)(seam.Operate(store, unsafe.Pointer(addr), seam.Store|seam.Word64)), val)
	seam.Published()
}

// StoreUintptr passes atomic/store, then is [atomic.StoreUintptr].
func StoreUintptr(addr *uintptr, val uintptr) {
	atomic.StoreUintptr((*uintptr)(seam.Operate(store, unsafe.Pointer(addr), seam.Store|seam.Word)), val)
	seam.Published()
}

// StorePointer passes atomic/store, then is [atomic.StorePointer].
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	atomic.StorePointer((*unsafe.Pointer)(seam.Operate(store, unsafe.Pointer(addr), seam.Store|seam.Pointer)), val)
	seam.Published()
}

// SwapInt32 passes atomic/swap, then is [atomic.SwapInt32].
func SwapInt32(addr *int32, new int32) (old int32) {
	seam.Operate(swap, unsafe.Pointer(addr), seam.Update|seam.Word32)
	return seam.Updated(atomic.SwapInt32(addr, new))
}

// SwapInt64 passes atomic/swap, then is [atomic.SwapInt64].
func SwapInt64(addr *int64, new int64) (old int64) {
	seam.Operate(swap, unsafe.Pointer(addr), seam.Update|seam.Word64)
	return seam.Updated(atomic.SwapInt64(addr, new))
}

// SwapUint32 passes atomic/swap, then is [atomic.SwapUint32].
func SwapUint32(addr *uint32, new uint32) (old uint32) {
	seam.Operate(swap, unsafe.Pointer(addr), seam.Update|seam.Word32)
	return seam.Updated(atomic.SwapUint32(addr, new))
}

// SwapUint64 passes atomic/swap, then is [atomic.SwapUint64].
func SwapUint64(addr *uint64, new uint64) (old uint64) {
	seam.Operate(swap, unsafe.Pointer(addr), seam.Update|seam.Word64)
	return seam.Updated(atomic.SwapUint64(addr, new))
}

// SwapUintptr passes atomic/swap, then is [atomic.SwapUintptr].
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	seam.Operate(swap, unsafe.Pointer(addr), seam.Update|seam.Word)
	return seam.Updated(atomic.SwapUintptr(addr, new))
}

// SwapPointer passes atomic/swap, then is [atomic.SwapPointer].
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	seam.Operate(swap, unsafe.Pointer(addr), seam.Update|seam.Pointer)
	return seam.Updated(atomic.SwapPointer(addr, new))
}

// CompareAndSwapInt32 passes atomic/cas, then is [atomic.CompareAndSwapInt32].
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(addr), seam.CAS|seam.Word32)
	return seam.Swapped(atomic.CompareAndSwapInt32(addr, old, new))
}

// CompareAndSwapInt64 passes atomic/cas, then is [atomic.CompareAndSwapInt64].
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(addr), seam.CAS|seam.Word64)
	return seam.Swapped(atomic.CompareAndSwapInt64(addr, old, new))
}

// CompareAndSwapUint32 passes atomic/cas, then is [atomic.CompareAndSwapUint32].
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(addr), seam.CAS|seam.Word32)
	return seam.Swapped(atomic.CompareAndSwapUint32(addr, old, new))
}

// CompareAndSwapUint64 passes atomic/cas, then is [atomic.CompareAndSwapUint64].
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(addr), seam.CAS|seam.Word64)
	return seam.Swapped(atomic.CompareAndSwapUint64(addr, old, new))
}

// CompareAndSwapUintptr passes atomic/cas, then is [atomic.CompareAndSwapUintptr].
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(addr), seam.CAS|seam.Word)
	return seam.Swapped(atomic.CompareAndSwapUintptr(addr, old, new))
}

// CompareAndSwapPointer passes atomic/cas, then is [atomic.CompareAndSwapPointer].
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	seam.Operate(cas, unsafe.Pointer(addr), seam.CAS|seam.Pointer)
	return seam.Swapped(atomic.CompareAndSwapPointer(addr, old, new))
}

// AddInt32 passes atomic/add, then is [atomic.AddInt32].
func AddInt32(addr *int32, delta int32) (new int32) {
	seam.Operate(add, unsafe.Pointer(addr), seam.Update|seam.Word32)
	return seam.Updated(atomic.AddInt32(addr, delta))
}

// AddInt64 passes atomic/add, then is [atomic.AddInt64].
func AddInt64(addr *int64, delta int64) (new int64) {
	seam.Operate(add, unsafe.Pointer(addr), seam.Update|seam.Word64)
	return seam.Updated(atomic.AddInt64(addr, delta))
}

// AddUint32 passes atomic/add, then is [atomic.AddUint32].
func AddUint32(addr *uint32, delta uint32) (new uint32) {
	seam.Operate(add, unsafe.Pointer(addr), seam.Update|seam.Word32)
	return seam.Updated(atomic.AddUint32(addr, delta))
}

// AddUint64 passes atomic/add, then is [atomic.AddUint64].
func AddUint64(addr *uint64, delta uint64) (new uint64) {
	seam.Operate(add, unsafe.Pointer(addr), seam.Update|seam.Word64)
	return seam.Updated(atomic.AddUint64(addr, delta))
}

// AddUintptr passes atomic/add, then is [atomic.AddUintptr].
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	seam.Operate(add, unsafe.Pointer(addr), seam.Update|seam.Word)
	return seam.Updated(atomic.AddUintptr(addr, delta))
}

// AndInt32 passes atomic/and, then is [atomic.AndInt32].
func AndInt32(addr *int32, mask int32) (old int32) {
	seam.Operate(and, unsafe.Pointer(addr), seam.Update|seam.Word32)
	return seam.Updated(atomic.AndInt32(addr, mask))
}

// AndInt64 passes atomic/and, then is [atomic.AndInt64].
func AndInt64(addr *int64, mask int64) (old int64) {
	seam.Operate(and, unsafe.Pointer(addr), seam.Update|seam.Word64)
	return seam.Updated(atomic.AndInt64(addr, mask))
}

// AndUint32 passes atomic/and, then is [atomic.AndUint32].
func AndUint32(addr *uint32, mask uint32) (old uint32) {
	seam.Operate(and, unsafe.Pointer(addr), seam.Update|seam.Word32)
	return seam.Updated(atomic.AndUint32(addr, mask))
}

// AndUint64 passes atomic/and, then is [atomic.AndUint64].
func AndUint64(addr *uint64, mask uint64) (old uint64) {
	seam.Operate(and, unsafe.Pointer(addr), seam.Update|seam.Word64)
	return seam.Updated(atomic.AndUint64(addr, mask))
}

// AndUintptr passes atomic/and, then is [atomic.AndUintptr].
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	seam.Operate(and, unsafe.Pointer(addr), seam.Update|seam.Word)
	return seam.Updated(atomic.AndUintptr(addr, mask))
}

// OrInt32 passes atomic/or, then is [atomic.OrInt32].
func OrInt32(addr *int32, mask int32) (old int32) {
	seam.Operate(or, unsafe.Pointer(addr), seam.Update|seam.Word32)
	return seam.Updated(atomic.OrInt32(addr, mask))
}

// OrInt64 passes atomic/or, then is [atomic.OrInt64].
func OrInt64(addr *int64, mask int64) (old int64) {
	seam.Operate(or, unsafe.Pointer(addr), seam.Update|seam.Word64)
	return seam.Updated(atomic.OrInt64(addr, mask))
}

// OrUint32 passes atomic/or, then is [atomic.OrUint32].
func OrUint32(addr *uint32, mask uint32) (old uint32) {
	seam.Operate(or, unsafe.Pointer(addr), seam.Update|seam.Word32)
	return seam.Updated(atomic.OrUint32(addr, mask))
}

// OrUint64 passes atomic/or, then is [atomic.OrUint64].
func OrUint64(addr *uint64, mask uint64) (old uint64) {
	seam.Operate(or, unsafe.Pointer(addr), seam.Update|seam.Word64)
	return seam.Updated(atomic.OrUint64(addr, mask))
}

// OrUintptr passes atomic/or, then is [atomic.OrUintptr].
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	seam.Operate(or, unsafe.Pointer(addr), seam.Update|seam.Word)
	return seam.Updated(atomic.OrUintptr(addr, mask))
}
