//go:build chaos

package sync

import (
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Map is [sync.Map] with a point before each operation.
type Map sync.Map

// Load passes sync/map-load, then returns the value of key, and whether there is
// one.
func (m *Map) Load(key any) (value any, ok bool) {
	seam.Operate(mapLoad, unsafe.Pointer(m), seam.Load)
	return (*sync.Map)(m).Load(key)
}

// Store passes sync/map-store, then sets the value of key.
func (m *Map) Store(key, value any) {
	seam.Operate(mapStore, unsafe.Pointer(m), seam.Store)
	(*sync.Map)(m).Store(key, value)
}

// Clear passes sync/map-clear, then deletes all entries.
func (m *Map) Clear() {
	seam.Operate(mapClear, unsafe.Pointer(m), seam.Store)
	(*sync.Map)(m).Clear()
}

// LoadOrStore passes sync/map-load-or-store, then returns the value of key if
// there is one, and else stores and returns the given one.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	seam.Operate(mapLoadOrStore, unsafe.Pointer(m), seam.Store)
	return (*sync.Map)(m).LoadOrStore(key, value)
}

// LoadAndDelete passes sync/map-load-and-delete, then deletes the value of key
// and returns what it was.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	seam.Operate(mapLoadAndDelete, unsafe.Pointer(m), seam.Store)
	return (*sync.Map)(m).LoadAndDelete(key)
}

// Delete passes sync/map-delete, then deletes the value of key.
func (m *Map) Delete(key any) {
	seam.Operate(mapDelete, unsafe.Pointer(m), seam.Store)
	(*sync.Map)(m).Delete(key)
}

// Swap passes sync/map-swap, then sets the value of key and returns what it was.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	seam.Operate(mapSwap, unsafe.Pointer(m), seam.Store)
	return (*sync.Map)(m).Swap(key, value)
}

// CompareAndSwap passes sync/map-compare-and-swap, then sets the value of key to
// new if it is old. It never fails otherwise.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	seam.Operate(mapCompareAndSwap, unsafe.Pointer(m), seam.Store)
	return (*sync.Map)(m).CompareAndSwap(key, old, new)
}

// CompareAndDelete passes sync/map-compare-and-delete, then deletes the value of
// key if it is old. It never fails otherwise.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	seam.Operate(mapCompareAndDelete, unsafe.Pointer(m), seam.Store)
	return (*sync.Map)(m).CompareAndDelete(key, old)
}

// Range passes sync/map-range, then calls f for each entry until f returns
// false, and passes sync/map-range-entry before each call.
func (m *Map) Range(f func(key, value any) bool) {
	seam.Operate(mapRange, unsafe.Pointer(m), seam.Load)
	(*sync.Map)(m).Range(func(key, value any) bool {
		mapRangeEntry.At()
		return f(key, value)
	})
}
