//go:build chaos

package memory

import "github.com/rouse-go/rouse/hooks/atomic"

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
