//go:build chaos

package memory

import "github.com/rouse-go/rouse/hooks/atomic"

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
