//go:build chaos

package memory

import "github.com/rouse-go/rouse/hooks/atomic"

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
