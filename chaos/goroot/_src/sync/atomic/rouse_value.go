package atomic

import (
	"internal/rouse"
	"unsafe"
)

// An operation of a Value is a point, and what it consists of is quiet.

// Load returns the value set by the most recent Store.
func (v *Value) Load() (val any) {
	if rouse.On == 0 {
		return v.rouseLoad()
	}
	rouse.Point(rouse.Load, uintptr(unsafe.Pointer(v)))
	rouse.Quiet(1)
	val = v.rouseLoad()
	rouse.Quiet(-1)
	return val
}

// Store sets the value of the Value v to val.
func (v *Value) Store(val any) {
	if rouse.On == 0 {
		v.rouseStore(val)
		return
	}
	v.quietStore(val)
	rouse.After(rouse.Store, uintptr(unsafe.Pointer(v)))
}

// quietStore is Store without points inside. It may panic, and so may the other operations that
// write.
func (v *Value) quietStore(val any) {
	rouse.Point(rouse.Store, uintptr(unsafe.Pointer(v)))
	rouse.Quiet(1)
	defer rouse.Quiet(-1)
	v.rouseStore(val)
}

// Swap stores new into Value and returns the previous value.
func (v *Value) Swap(new any) (old any) {
	if rouse.On == 0 {
		return v.rouseSwap(new)
	}
	old = v.quietSwap(new)
	rouse.After(rouse.RMW, uintptr(unsafe.Pointer(v)))
	return old
}

func (v *Value) quietSwap(new any) (old any) {
	rouse.Point(rouse.RMW, uintptr(unsafe.Pointer(v)))
	rouse.Quiet(1)
	defer rouse.Quiet(-1)
	return v.rouseSwap(new)
}

// CompareAndSwap executes the compare-and-swap operation for the Value.
func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	if rouse.On == 0 {
		return v.rouseCompareAndSwap(old, new)
	}
	swapped = v.quietCompareAndSwap(old, new)
	if swapped {
		rouse.After(rouse.CAS, uintptr(unsafe.Pointer(v)))
	} else {
		rouse.Failed()
	}
	return swapped
}

func (v *Value) quietCompareAndSwap(old, new any) (swapped bool) {
	rouse.Point(rouse.CAS, uintptr(unsafe.Pointer(v)))
	rouse.Quiet(1)
	defer rouse.Quiet(-1)
	return v.rouseCompareAndSwap(old, new)
}
