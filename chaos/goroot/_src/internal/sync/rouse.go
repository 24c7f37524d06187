package sync

import (
	"internal/race"
	"internal/rouse"
	"unsafe"
)

// The methods of mutex.go have other names in an overlay; those that users call are points around
// them. Under the race detector the atomic operations inside would be points as well, so they are
// quiet.

func quiet(d int32) {
	if race.Enabled {
		rouse.Quiet(d)
	}
}

// Lock locks m.
//
//go:nosplit
func (m *Mutex) Lock() {
	if rouse.On != 0 {
		rouse.Await(rouse.Lock, uintptr(unsafe.Pointer(m)), &m.state, mutexLocked)
		quiet(1)
		m.rouseLock()
		quiet(-1)
		return
	}
	m.rouseLock()
}

// TryLock locks m if nobody has locked it.
func (m *Mutex) TryLock() bool {
	if rouse.On == 0 {
		return m.rouseTryLock()
	}
	rouse.Point(rouse.TryLock, uintptr(unsafe.Pointer(m)))
	quiet(1)
	ok := m.rouseTryLock()
	quiet(-1)
	if !ok {
		rouse.Failed()
	}
	return ok
}

// Unlock unlocks m.
//
//go:nosplit
func (m *Mutex) Unlock() {
	if rouse.On == 0 {
		m.rouseUnlock()
		return
	}
	rouse.Point(rouse.Unlock, uintptr(unsafe.Pointer(m)))
	quiet(1)
	m.rouseUnlock()
	quiet(-1)
	rouse.After(rouse.Unlock, uintptr(unsafe.Pointer(m)))
}

// The word that package sync awaits for a RWMutex is the first of its Mutex: a wrong layout does
// not compile.
const _ = -unsafe.Offsetof(Mutex{}.state)

// rouseSeed seeds the hashes of a HashTrieMap: see the runtime.
//
//go:linkname rouseSeed
func rouseSeed() uint64

// RouseRange is Range in an order that is drawn, as the hashes of a map are not: any of those that keys can have.
func (ht *HashTrieMap[K, V]) RouseRange(yield func(K, V) bool) {
	ht.init()
	several := 0
	ht.iter(ht.root.Load(), func(K, V) bool {
		several++
		return several < 2
	})
	if several < 2 {
		ht.iter(ht.root.Load(), yield)
		return
	}
	type place struct {
		of    *indirect[K, V]
		child int
	}
	var places []place // of what has not been visited
	add := func(of *indirect[K, V]) {
		for child := range of.children {
			places = append(places, place{of, child})
		}
	}
	add(ht.root.Load())
	for order := rouse.Draw(); len(places) > 0; {
		order = order*6364136223846793005 + 1442695040888963407
		next := int(order >> 33 % uint64(len(places)))
		p, last := places[next], len(places)-1
		places[next] = places[last]
		places = places[:last]
		n := p.of.children[p.child].Load()
		if n == nil {
			continue
		}
		if !n.isEntry {
			add(n.indirect())
			continue
		}
		for e := n.entry(); e != nil; e = e.overflow.Load() {
			if !yield(e.key, e.value) {
				return
			}
		}
	}
}
