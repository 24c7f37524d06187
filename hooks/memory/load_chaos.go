//go:build chaos

package memory

import "github.com/rouse-go/rouse/hooks/atomic"

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
