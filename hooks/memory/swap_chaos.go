//go:build chaos

package memory

import "github.com/rouse-go/rouse/hooks/atomic"

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
