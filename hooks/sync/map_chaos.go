//go:build chaos

package sync

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Map is [sync.Map] with a point before each operation.
//
// Under control Range shows the entries in the order in which their keys were stored,
// so that an execution can be repeated: the standard map's order is another in every
// process. Keys that were stored before, outside of any execution, come first, in the
// standard map's order.
type Map struct {
	entries sync.Map
	// order holds the number of each key that was stored under control; last is the
	// last of them. It is a map of the same kind as the entries, so that the race
	// detector sees no edge between tasks that it would not see there.
	order sync.Map
	last  uint64
}

// number gives a key its place in the order, if it has none. The caller has stored it.
func (m *Map) number(key any) {
	if seam.Controlled() == nil {
		return
	}
	if _, known := m.order.Load(key); !known {
		m.order.Store(key, m.next())
	}
}

// next is called by one task at a time.
//
//go:norace
func (m *Map) next() uint64 {
	m.last++
	return m.last
}

// forget takes a key out of the order. The caller has deleted it.
func (m *Map) forget(key any) {
	if seam.Controlled() != nil {
		m.order.Delete(key)
	}
}

// Load passes sync/map-load, then returns the value of key, and whether there is
// one.
func (m *Map) Load(key any) (value any, ok bool) {
	seam.Operate(mapLoad, unsafe.Pointer(m), seam.Load)
	return m.entries.Load(key)
}

// Store passes sync/map-store, then sets the value of key.
func (m *Map) Store(key, value any) {
	seam.Operate(mapStore, unsafe.Pointer(m), seam.Store)
	m.entries.Store(key, value)
	m.number(key)
	seam.Published()
}

// Clear passes sync/map-clear, then deletes all entries.
func (m *Map) Clear() {
	seam.Operate(mapClear, unsafe.Pointer(m), seam.Store)
	m.entries.Clear()
	if seam.Controlled() != nil {
		m.order.Clear()
	}
	seam.Published()
}

// LoadOrStore passes sync/map-load-or-store, then returns the value of key if
// there is one, and else stores and returns the given one.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	seam.Operate(mapLoadOrStore, unsafe.Pointer(m), seam.Store)
	actual, loaded = m.entries.LoadOrStore(key, value)
	m.number(key)
	seam.Published()
	return actual, loaded
}

// LoadAndDelete passes sync/map-load-and-delete, then deletes the value of key
// and returns what it was.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	seam.Operate(mapLoadAndDelete, unsafe.Pointer(m), seam.Store)
	value, loaded = m.entries.LoadAndDelete(key)
	m.forget(key)
	seam.Published()
	return value, loaded
}

// Delete passes sync/map-delete, then deletes the value of key.
func (m *Map) Delete(key any) {
	seam.Operate(mapDelete, unsafe.Pointer(m), seam.Store)
	m.entries.Delete(key)
	m.forget(key)
	seam.Published()
}

// Swap passes sync/map-swap, then sets the value of key and returns what it was.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	seam.Operate(mapSwap, unsafe.Pointer(m), seam.Store)
	previous, loaded = m.entries.Swap(key, value)
	m.number(key)
	seam.Published()
	return previous, loaded
}

// CompareAndSwap passes sync/map-compare-and-swap, then sets the value of key to
// new if it is old. It never fails otherwise.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	seam.Operate(mapCompareAndSwap, unsafe.Pointer(m), seam.Store)
	return seam.Updated(m.entries.CompareAndSwap(key, old, new))
}

// CompareAndDelete passes sync/map-compare-and-delete, then deletes the value of
// key if it is old. It never fails otherwise.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	seam.Operate(mapCompareAndDelete, unsafe.Pointer(m), seam.Store)
	deleted = m.entries.CompareAndDelete(key, old)
	if deleted {
		m.forget(key)
	}
	return seam.Updated(deleted)
}

// Range passes sync/map-range, then calls f for each entry until f returns
// false, and passes sync/map-range-entry before each call.
func (m *Map) Range(f func(key, value any) bool) {
	seam.Operate(mapRange, unsafe.Pointer(m), seam.Load)
	if seam.Controlled() != nil {
		m.rangeInOrder(f)
		return
	}
	m.entries.Range(func(key, value any) bool {
		mapRangeEntry.At()
		return f(key, value)
	})
}

// rangeInOrder is Range under control. Like the standard one it is no snapshot: each
// entry is read when its turn comes, and may be gone by then.
func (m *Map) rangeInOrder(f func(key, value any) bool) {
	type place struct {
		key    any
		number uint64
	}
	var keys []place
	m.entries.Range(func(key, _ any) bool {
		number, _ := m.order.Load(key)
		n, _ := number.(uint64)
		keys = append(keys, place{key, n})
		return true
	})
	slices.SortStableFunc(keys, func(a, b place) int { return cmp.Compare(a.number, b.number) })
	for _, k := range keys {
		seam.Operate(mapRangeEntry, unsafe.Pointer(m), seam.Walk)
		if value, ok := m.entries.Load(k.key); ok && !f(k.key, value) {
			return
		}
	}
}
