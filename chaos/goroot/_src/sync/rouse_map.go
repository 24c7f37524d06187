package sync

import (
	"internal/rouse"
	"unsafe"
)

// An operation of a Map is a point, and what it consists of is quiet.

// mapPoint begins an operation of m; a deferred rouse.Quiet(-1) follows, as comparing keys may panic.
func (m *Map) mapPoint(op uint8) {
	rouse.Point(op, uintptr(unsafe.Pointer(m)))
	rouse.Quiet(1)
}

// Load returns the value stored in the map for a key, or nil if no value is present.
func (m *Map) Load(key any) (value any, ok bool) {
	if rouse.On == 0 {
		return m.rouseLoad(key)
	}
	m.mapPoint(rouse.MapRead)
	defer rouse.Quiet(-1)
	return m.rouseLoad(key)
}

// Store sets the value for a key.
func (m *Map) Store(key, value any) {
	if rouse.On == 0 {
		m.rouseStore(key, value)
		return
	}
	m.quietStore(key, value)
	m.wrote(true)
}

func (m *Map) quietStore(key, value any) {
	m.mapPoint(rouse.MapWrite)
	defer rouse.Quiet(-1)
	m.rouseStore(key, value)
}

// Clear deletes all the entries.
func (m *Map) Clear() {
	if rouse.On == 0 {
		m.rouseClear()
		return
	}
	m.mapPoint(rouse.MapWrite)
	m.rouseClear()
	rouse.Quiet(-1)
	m.wrote(true)
}

// LoadOrStore returns the existing value for the key if present, and otherwise stores the value.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	if rouse.On == 0 {
		return m.rouseLoadOrStore(key, value)
	}
	actual, loaded = m.quietLoadOrStore(key, value)
	m.wrote(!loaded)
	return actual, loaded
}

func (m *Map) quietLoadOrStore(key, value any) (actual any, loaded bool) {
	m.mapPoint(rouse.MapWrite)
	defer rouse.Quiet(-1)
	return m.rouseLoadOrStore(key, value)
}

// LoadAndDelete deletes the value for a key, returning the previous value if any.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	if rouse.On == 0 {
		return m.rouseLoadAndDelete(key)
	}
	value, loaded = m.quietLoadAndDelete(key)
	m.wrote(loaded)
	return value, loaded
}

func (m *Map) quietLoadAndDelete(key any) (value any, loaded bool) {
	m.mapPoint(rouse.MapWrite)
	defer rouse.Quiet(-1)
	return m.rouseLoadAndDelete(key)
}

// Delete deletes the value for a key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// Swap swaps the value for a key and returns the previous value if any.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	if rouse.On == 0 {
		return m.rouseSwap(key, value)
	}
	previous, loaded = m.quietSwap(key, value)
	m.wrote(true)
	return previous, loaded
}

func (m *Map) quietSwap(key, value any) (previous any, loaded bool) {
	m.mapPoint(rouse.MapWrite)
	defer rouse.Quiet(-1)
	return m.rouseSwap(key, value)
}

// CompareAndSwap swaps the old and new values for key if the value stored in the map is equal to old.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	if rouse.On == 0 {
		return m.rouseCompareAndSwap(key, old, new)
	}
	swapped = m.quietCompareAndSwap(key, old, new)
	m.wrote(swapped)
	return swapped
}

func (m *Map) quietCompareAndSwap(key, old, new any) (swapped bool) {
	m.mapPoint(rouse.MapWrite)
	defer rouse.Quiet(-1)
	return m.rouseCompareAndSwap(key, old, new)
}

// CompareAndDelete deletes the entry for key if its value is equal to old.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	if rouse.On == 0 {
		return m.rouseCompareAndDelete(key, old)
	}
	deleted = m.quietCompareAndDelete(key, old)
	m.wrote(deleted)
	return deleted
}

func (m *Map) quietCompareAndDelete(key, old any) (deleted bool) {
	m.mapPoint(rouse.MapWrite)
	defer rouse.Quiet(-1)
	return m.rouseCompareAndDelete(key, old)
}

// wrote follows an operation that may have changed its object.
func (m *Map) wrote(changed bool) {
	if changed {
		rouse.After(rouse.MapWrite, uintptr(unsafe.Pointer(m)))
	} else {
		rouse.Failed()
	}
}

// Range calls f sequentially for each key and value present in the map, in an order that is drawn.
func (m *Map) Range(f func(key, value any) bool) {
	if rouse.On == 0 {
		m.rouseRange(f)
		return
	}
	m.mapPoint(rouse.MapRead)
	defer rouse.Quiet(-1)
	m.m.RouseRange(func(key, value any) bool {
		rouse.Quiet(-1)
		defer rouse.Quiet(1)
		return f(key, value)
	})
}
