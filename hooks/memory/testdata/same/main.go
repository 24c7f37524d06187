// Command same has each function of package memory next to the method that it stands
// for, each in a function of its own: the instructions of the two are to be the
// same in the normal build. It knows of atomics by the drop-in only.
package main

import (
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

//go:noinline
func declaredLoadInt32(x *atomic.Int32) int32 { return memory.LoadInt32(x, memory.Acquire) }

//go:noinline
func plainLoadInt32(x *atomic.Int32) int32 { return x.Load() }

//go:noinline
func declaredStoreInt32(x *atomic.Int32, v int32) { memory.StoreInt32(x, v, memory.Release) }

//go:noinline
func plainStoreInt32(x *atomic.Int32, v int32) { x.Store(v) }

//go:noinline
func declaredSwapInt32(x *atomic.Int32, v int32) int32 { return memory.SwapInt32(x, v, memory.AcqRel) }

//go:noinline
func plainSwapInt32(x *atomic.Int32, v int32) int32 { return x.Swap(v) }

//go:noinline
func declaredCompareAndSwapInt32(x *atomic.Int32, v, w int32) bool {
	return memory.CompareAndSwapInt32(x, v, w, memory.SeqCst, memory.Relaxed)
}

//go:noinline
func plainCompareAndSwapInt32(x *atomic.Int32, v, w int32) bool { return x.CompareAndSwap(v, w) }

//go:noinline
func declaredAddInt32(x *atomic.Int32, v int32) int32 { return memory.AddInt32(x, v, memory.Relaxed) }

//go:noinline
func plainAddInt32(x *atomic.Int32, v int32) int32 { return x.Add(v) }

//go:noinline
func declaredAndInt32(x *atomic.Int32, v int32) int32 { return memory.AndInt32(x, v, memory.Relaxed) }

//go:noinline
func plainAndInt32(x *atomic.Int32, v int32) int32 { return x.And(v) }

//go:noinline
func declaredOrInt32(x *atomic.Int32, v int32) int32 { return memory.OrInt32(x, v, memory.Relaxed) }

//go:noinline
func plainOrInt32(x *atomic.Int32, v int32) int32 { return x.Or(v) }

//go:noinline
func declaredLoadInt64(x *atomic.Int64) int64 { return memory.LoadInt64(x, memory.Acquire) }

//go:noinline
func plainLoadInt64(x *atomic.Int64) int64 { return x.Load() }

//go:noinline
func declaredStoreInt64(x *atomic.Int64, v int64) { memory.StoreInt64(x, v, memory.Release) }

//go:noinline
func plainStoreInt64(x *atomic.Int64, v int64) { x.Store(v) }

//go:noinline
func declaredSwapInt64(x *atomic.Int64, v int64) int64 { return memory.SwapInt64(x, v, memory.AcqRel) }

//go:noinline
func plainSwapInt64(x *atomic.Int64, v int64) int64 { return x.Swap(v) }

//go:noinline
func declaredCompareAndSwapInt64(x *atomic.Int64, v, w int64) bool {
	return memory.CompareAndSwapInt64(x, v, w, memory.SeqCst, memory.Relaxed)
}

//go:noinline
func plainCompareAndSwapInt64(x *atomic.Int64, v, w int64) bool { return x.CompareAndSwap(v, w) }

//go:noinline
func declaredAddInt64(x *atomic.Int64, v int64) int64 { return memory.AddInt64(x, v, memory.Relaxed) }

//go:noinline
func plainAddInt64(x *atomic.Int64, v int64) int64 { return x.Add(v) }

//go:noinline
func declaredAndInt64(x *atomic.Int64, v int64) int64 { return memory.AndInt64(x, v, memory.Relaxed) }

//go:noinline
func plainAndInt64(x *atomic.Int64, v int64) int64 { return x.And(v) }

//go:noinline
func declaredOrInt64(x *atomic.Int64, v int64) int64 { return memory.OrInt64(x, v, memory.Relaxed) }

//go:noinline
func plainOrInt64(x *atomic.Int64, v int64) int64 { return x.Or(v) }

//go:noinline
func declaredLoadUint32(x *atomic.Uint32) uint32 { return memory.LoadUint32(x, memory.Acquire) }

//go:noinline
func plainLoadUint32(x *atomic.Uint32) uint32 { return x.Load() }

//go:noinline
func declaredStoreUint32(x *atomic.Uint32, v uint32) { memory.StoreUint32(x, v, memory.Release) }

//go:noinline
func plainStoreUint32(x *atomic.Uint32, v uint32) { x.Store(v) }

//go:noinline
func declaredSwapUint32(x *atomic.Uint32, v uint32) uint32 {
	return memory.SwapUint32(x, v, memory.AcqRel)
}

//go:noinline
func plainSwapUint32(x *atomic.Uint32, v uint32) uint32 { return x.Swap(v) }

//go:noinline
func declaredCompareAndSwapUint32(x *atomic.Uint32, v, w uint32) bool {
	return memory.CompareAndSwapUint32(x, v, w, memory.SeqCst, memory.Relaxed)
}

//go:noinline
func plainCompareAndSwapUint32(x *atomic.Uint32, v, w uint32) bool { return x.CompareAndSwap(v, w) }

//go:noinline
func declaredAddUint32(x *atomic.Uint32, v uint32) uint32 {
	return memory.AddUint32(x, v, memory.Relaxed)
}

//go:noinline
func plainAddUint32(x *atomic.Uint32, v uint32) uint32 { return x.Add(v) }

//go:noinline
func declaredAndUint32(x *atomic.Uint32, v uint32) uint32 {
	return memory.AndUint32(x, v, memory.Relaxed)
}

//go:noinline
func plainAndUint32(x *atomic.Uint32, v uint32) uint32 { return x.And(v) }

//go:noinline
func declaredOrUint32(x *atomic.Uint32, v uint32) uint32 {
	return memory.OrUint32(x, v, memory.Relaxed)
}

//go:noinline
func plainOrUint32(x *atomic.Uint32, v uint32) uint32 { return x.Or(v) }

//go:noinline
func declaredLoadUint64(x *atomic.Uint64) uint64 { return memory.LoadUint64(x, memory.Acquire) }

//go:noinline
func plainLoadUint64(x *atomic.Uint64) uint64 { return x.Load() }

//go:noinline
func declaredStoreUint64(x *atomic.Uint64, v uint64) { memory.StoreUint64(x, v, memory.Release) }

//go:noinline
func plainStoreUint64(x *atomic.Uint64, v uint64) { x.Store(v) }

//go:noinline
func declaredSwapUint64(x *atomic.Uint64, v uint64) uint64 {
	return memory.SwapUint64(x, v, memory.AcqRel)
}

//go:noinline
func plainSwapUint64(x *atomic.Uint64, v uint64) uint64 { return x.Swap(v) }

//go:noinline
func declaredCompareAndSwapUint64(x *atomic.Uint64, v, w uint64) bool {
	return memory.CompareAndSwapUint64(x, v, w, memory.SeqCst, memory.Relaxed)
}

//go:noinline
func plainCompareAndSwapUint64(x *atomic.Uint64, v, w uint64) bool { return x.CompareAndSwap(v, w) }

//go:noinline
func declaredAddUint64(x *atomic.Uint64, v uint64) uint64 {
	return memory.AddUint64(x, v, memory.Relaxed)
}

//go:noinline
func plainAddUint64(x *atomic.Uint64, v uint64) uint64 { return x.Add(v) }

//go:noinline
func declaredAndUint64(x *atomic.Uint64, v uint64) uint64 {
	return memory.AndUint64(x, v, memory.Relaxed)
}

//go:noinline
func plainAndUint64(x *atomic.Uint64, v uint64) uint64 { return x.And(v) }

//go:noinline
func declaredOrUint64(x *atomic.Uint64, v uint64) uint64 {
	return memory.OrUint64(x, v, memory.Relaxed)
}

//go:noinline
func plainOrUint64(x *atomic.Uint64, v uint64) uint64 { return x.Or(v) }

//go:noinline
func declaredLoadUintptr(x *atomic.Uintptr) uintptr { return memory.LoadUintptr(x, memory.Acquire) }

//go:noinline
func plainLoadUintptr(x *atomic.Uintptr) uintptr { return x.Load() }

//go:noinline
func declaredStoreUintptr(x *atomic.Uintptr, v uintptr) { memory.StoreUintptr(x, v, memory.Release) }

//go:noinline
func plainStoreUintptr(x *atomic.Uintptr, v uintptr) { x.Store(v) }

//go:noinline
func declaredSwapUintptr(x *atomic.Uintptr, v uintptr) uintptr {
	return memory.SwapUintptr(x, v, memory.AcqRel)
}

//go:noinline
func plainSwapUintptr(x *atomic.Uintptr, v uintptr) uintptr { return x.Swap(v) }

//go:noinline
func declaredCompareAndSwapUintptr(x *atomic.Uintptr, v, w uintptr) bool {
	return memory.CompareAndSwapUintptr(x, v, w, memory.SeqCst, memory.Relaxed)
}

//go:noinline
func plainCompareAndSwapUintptr(x *atomic.Uintptr, v, w uintptr) bool { return x.CompareAndSwap(v, w) }

//go:noinline
func declaredAddUintptr(x *atomic.Uintptr, v uintptr) uintptr {
	return memory.AddUintptr(x, v, memory.Relaxed)
}

//go:noinline
func plainAddUintptr(x *atomic.Uintptr, v uintptr) uintptr { return x.Add(v) }

//go:noinline
func declaredAndUintptr(x *atomic.Uintptr, v uintptr) uintptr {
	return memory.AndUintptr(x, v, memory.Relaxed)
}

//go:noinline
func plainAndUintptr(x *atomic.Uintptr, v uintptr) uintptr { return x.And(v) }

//go:noinline
func declaredOrUintptr(x *atomic.Uintptr, v uintptr) uintptr {
	return memory.OrUintptr(x, v, memory.Relaxed)
}

//go:noinline
func plainOrUintptr(x *atomic.Uintptr, v uintptr) uintptr { return x.Or(v) }

//go:noinline
func declaredLoadBool(x *atomic.Bool) bool { return memory.LoadBool(x, memory.Acquire) }

//go:noinline
func plainLoadBool(x *atomic.Bool) bool { return x.Load() }

//go:noinline
func declaredStoreBool(x *atomic.Bool, v bool) { memory.StoreBool(x, v, memory.Release) }

//go:noinline
func plainStoreBool(x *atomic.Bool, v bool) { x.Store(v) }

//go:noinline
func declaredSwapBool(x *atomic.Bool, v bool) bool { return memory.SwapBool(x, v, memory.AcqRel) }

//go:noinline
func plainSwapBool(x *atomic.Bool, v bool) bool { return x.Swap(v) }

//go:noinline
func declaredCompareAndSwapBool(x *atomic.Bool, v, w bool) bool {
	return memory.CompareAndSwapBool(x, v, w, memory.SeqCst, memory.Relaxed)
}

//go:noinline
func plainCompareAndSwapBool(x *atomic.Bool, v, w bool) bool { return x.CompareAndSwap(v, w) }

//go:noinline
func declaredLoadPointer(x *atomic.Pointer[int]) *int { return memory.LoadPointer(x, memory.Acquire) }

//go:noinline
func plainLoadPointer(x *atomic.Pointer[int]) *int { return x.Load() }

//go:noinline
func declaredStorePointer(x *atomic.Pointer[int], v *int) { memory.StorePointer(x, v, memory.Release) }

//go:noinline
func plainStorePointer(x *atomic.Pointer[int], v *int) { x.Store(v) }

//go:noinline
func declaredSwapPointer(x *atomic.Pointer[int], v *int) *int {
	return memory.SwapPointer(x, v, memory.AcqRel)
}

//go:noinline
func plainSwapPointer(x *atomic.Pointer[int], v *int) *int { return x.Swap(v) }

//go:noinline
func declaredCompareAndSwapPointer(x *atomic.Pointer[int], v, w *int) bool {
	return memory.CompareAndSwapPointer(x, v, w, memory.SeqCst, memory.Relaxed)
}

//go:noinline
func plainCompareAndSwapPointer(x *atomic.Pointer[int], v, w *int) bool {
	return x.CompareAndSwap(v, w)
}

//go:noinline
func declaredFence() { memory.Fence(memory.SeqCst) }

//go:noinline
func plainFence() {}

func main() {
	var xInt32 atomic.Int32
	var vInt32 int32
	var xInt64 atomic.Int64
	var vInt64 int64
	var xUint32 atomic.Uint32
	var vUint32 uint32
	var xUint64 atomic.Uint64
	var vUint64 uint64
	var xUintptr atomic.Uintptr
	var vUintptr uintptr
	var xBool atomic.Bool
	var vBool bool
	var xPointer atomic.Pointer[int]
	var vPointer *int
	declaredLoadInt32(&xInt32)
	plainLoadInt32(&xInt32)
	declaredStoreInt32(&xInt32, vInt32)
	plainStoreInt32(&xInt32, vInt32)
	declaredSwapInt32(&xInt32, vInt32)
	plainSwapInt32(&xInt32, vInt32)
	declaredCompareAndSwapInt32(&xInt32, vInt32, vInt32)
	plainCompareAndSwapInt32(&xInt32, vInt32, vInt32)
	declaredAddInt32(&xInt32, vInt32)
	plainAddInt32(&xInt32, vInt32)
	declaredAndInt32(&xInt32, vInt32)
	plainAndInt32(&xInt32, vInt32)
	declaredOrInt32(&xInt32, vInt32)
	plainOrInt32(&xInt32, vInt32)
	declaredLoadInt64(&xInt64)
	plainLoadInt64(&xInt64)
	declaredStoreInt64(&xInt64, vInt64)
	plainStoreInt64(&xInt64, vInt64)
	declaredSwapInt64(&xInt64, vInt64)
	plainSwapInt64(&xInt64, vInt64)
	declaredCompareAndSwapInt64(&xInt64, vInt64, vInt64)
	plainCompareAndSwapInt64(&xInt64, vInt64, vInt64)
	declaredAddInt64(&xInt64, vInt64)
	plainAddInt64(&xInt64, vInt64)
	declaredAndInt64(&xInt64, vInt64)
	plainAndInt64(&xInt64, vInt64)
	declaredOrInt64(&xInt64, vInt64)
	plainOrInt64(&xInt64, vInt64)
	declaredLoadUint32(&xUint32)
	plainLoadUint32(&xUint32)
	declaredStoreUint32(&xUint32, vUint32)
	plainStoreUint32(&xUint32, vUint32)
	declaredSwapUint32(&xUint32, vUint32)
	plainSwapUint32(&xUint32, vUint32)
	declaredCompareAndSwapUint32(&xUint32, vUint32, vUint32)
	plainCompareAndSwapUint32(&xUint32, vUint32, vUint32)
	declaredAddUint32(&xUint32, vUint32)
	plainAddUint32(&xUint32, vUint32)
	declaredAndUint32(&xUint32, vUint32)
	plainAndUint32(&xUint32, vUint32)
	declaredOrUint32(&xUint32, vUint32)
	plainOrUint32(&xUint32, vUint32)
	declaredLoadUint64(&xUint64)
	plainLoadUint64(&xUint64)
	declaredStoreUint64(&xUint64, vUint64)
	plainStoreUint64(&xUint64, vUint64)
	declaredSwapUint64(&xUint64, vUint64)
	plainSwapUint64(&xUint64, vUint64)
	declaredCompareAndSwapUint64(&xUint64, vUint64, vUint64)
	plainCompareAndSwapUint64(&xUint64, vUint64, vUint64)
	declaredAddUint64(&xUint64, vUint64)
	plainAddUint64(&xUint64, vUint64)
	declaredAndUint64(&xUint64, vUint64)
	plainAndUint64(&xUint64, vUint64)
	declaredOrUint64(&xUint64, vUint64)
	plainOrUint64(&xUint64, vUint64)
	declaredLoadUintptr(&xUintptr)
	plainLoadUintptr(&xUintptr)
	declaredStoreUintptr(&xUintptr, vUintptr)
	plainStoreUintptr(&xUintptr, vUintptr)
	declaredSwapUintptr(&xUintptr, vUintptr)
	plainSwapUintptr(&xUintptr, vUintptr)
	declaredCompareAndSwapUintptr(&xUintptr, vUintptr, vUintptr)
	plainCompareAndSwapUintptr(&xUintptr, vUintptr, vUintptr)
	declaredAddUintptr(&xUintptr, vUintptr)
	plainAddUintptr(&xUintptr, vUintptr)
	declaredAndUintptr(&xUintptr, vUintptr)
	plainAndUintptr(&xUintptr, vUintptr)
	declaredOrUintptr(&xUintptr, vUintptr)
	plainOrUintptr(&xUintptr, vUintptr)
	declaredLoadBool(&xBool)
	plainLoadBool(&xBool)
	declaredStoreBool(&xBool, vBool)
	plainStoreBool(&xBool, vBool)
	declaredSwapBool(&xBool, vBool)
	plainSwapBool(&xBool, vBool)
	declaredCompareAndSwapBool(&xBool, vBool, vBool)
	plainCompareAndSwapBool(&xBool, vBool, vBool)
	declaredLoadPointer(&xPointer)
	plainLoadPointer(&xPointer)
	declaredStorePointer(&xPointer, vPointer)
	plainStorePointer(&xPointer, vPointer)
	declaredSwapPointer(&xPointer, vPointer)
	plainSwapPointer(&xPointer, vPointer)
	declaredCompareAndSwapPointer(&xPointer, vPointer, vPointer)
	plainCompareAndSwapPointer(&xPointer, vPointer, vPointer)
	declaredFence()
	plainFence()
}
