package testing

import (
	"internal/rouse"
	"sync"
	_ "unsafe" // linkname
)

// rouseLack notes what a test asks for and cannot have: see the runtime.
//
//go:linkname rouseLack
func rouseLack(what string)

// A rouseMutex guards fields of this package. There are no points while it is held: how tests log
// and fail is no schedule of theirs.
type rouseMutex struct{ sync.Mutex }

func (m *rouseMutex) Lock() {
	rouse.Quiet(1)
	m.Mutex.Lock()
}

func (m *rouseMutex) Unlock() {
	m.Mutex.Unlock()
	rouse.Quiet(-1)
}

// A rouseRWMutex is a rouseMutex with readers.
type rouseRWMutex struct{ sync.RWMutex }

func (m *rouseRWMutex) Lock() {
	rouse.Quiet(1)
	m.RWMutex.Lock()
}

func (m *rouseRWMutex) Unlock() {
	m.RWMutex.Unlock()
	rouse.Quiet(-1)
}

func (m *rouseRWMutex) RLock() {
	rouse.Quiet(1)
	m.RWMutex.RLock()
}

func (m *rouseRWMutex) RUnlock() {
	m.RWMutex.RUnlock()
	rouse.Quiet(-1)
}

// A rouseMap is a map whose operations are no points.
type rouseMap struct{ sync.Map }

func (m *rouseMap) Store(key, value any) {
	rouse.Quiet(1)
	m.Map.Store(key, value)
	rouse.Quiet(-1)
}

func (m *rouseMap) Delete(key any) {
	rouse.Quiet(1)
	m.Map.Delete(key)
	rouse.Quiet(-1)
}

// rouseAllocs is AllocsPerRun in an execution, where allocations cannot be counted.
func rouseAllocs(runs int, f func()) float64 {
	rouseLack("testing.AllocsPerRun returns 0 under control")
	for range runs + 1 {
		f()
	}
	return 0
}
