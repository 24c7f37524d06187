//go:build chaos

package memory

import "github.com/rouse-go/rouse/hooks/atomic"

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
