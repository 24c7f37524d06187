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
