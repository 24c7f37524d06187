package goroot

import "fmt"

// Package sync and sync/atomic.Value.
var syncs = []Patch{
	point("internal/sync/mutex.go", "func (m *Mutex) Lock()", "Lock", "m"),
	point("internal/sync/mutex.go", "func (m *Mutex) TryLock()", "TryLock", "m"),
	point("internal/sync/mutex.go", "func (m *Mutex) Unlock()", "Unlock", "m"),
	point("sync/rwmutex.go", "func (rw *RWMutex) RLock()", "RLock", "rw"),
	point("sync/rwmutex.go", "func (rw *RWMutex) TryRLock()", "TryRLock", "rw"),
	point("sync/rwmutex.go", "func (rw *RWMutex) RUnlock()", "RUnlock", "rw"),
	point("sync/rwmutex.go", "func (rw *RWMutex) Lock()", "WLock", "rw"),
	point("sync/rwmutex.go", "func (rw *RWMutex) TryLock()", "TryWLock", "rw"),
	point("sync/rwmutex.go", "func (rw *RWMutex) Unlock()", "WUnlock", "rw"),
	point("sync/waitgroup.go", "func (wg *WaitGroup) Add(", "WGAdd", "wg"),
	point("sync/waitgroup.go", "func (wg *WaitGroup) Wait()", "WGWait", "wg"),
	point("sync/cond.go", "func (c *Cond) Wait()", "CondWait", "c"),
	point("sync/cond.go", "func (c *Cond) Signal()", "CondSignal", "c"),
	point("sync/cond.go", "func (c *Cond) Broadcast()", "CondBroadcast", "c"),
	point("sync/once.go", "func (o *Once) Do(", "OnceDo", "o"),
	quietPoint("sync/map.go", "func (m *Map) Load(", "MapRead", "m"),
	quietPoint("sync/map.go", "func (m *Map) Store(", "MapWrite", "m"),
	quietPoint("sync/map.go", "func (m *Map) Clear(", "MapWrite", "m"),
	quietPoint("sync/map.go", "func (m *Map) LoadOrStore(", "MapWrite", "m"),
	quietPoint("sync/map.go", "func (m *Map) LoadAndDelete(", "MapWrite", "m"),
	quietPoint("sync/map.go", "func (m *Map) Delete(", "MapWrite", "m"),
	quietPoint("sync/map.go", "func (m *Map) Swap(", "MapWrite", "m"),
	quietPoint("sync/map.go", "func (m *Map) CompareAndSwap(", "MapWrite", "m"),
	quietPoint("sync/map.go", "func (m *Map) CompareAndDelete(", "MapWrite", "m"),
	point("sync/map.go", "func (m *Map) Range(", "MapRead", "m"),
	point("sync/atomic/value.go", "func (v *Value) Load()", "Load", "v"),
	point("sync/atomic/value.go", "func (v *Value) Store(", "Store", "v"),
	point("sync/atomic/value.go", "func (v *Value) Swap(", "RMW", "v"),
	point("sync/atomic/value.go", "func (v *Value) CompareAndSwap(", "CAS", "v"),
	after("sync/pool.go", "type Pool struct", "New func() any", "rouseID uint64; rouseList []any", "what is put is got, last in first out, within an execution"),
	before("sync/pool.go", "func (p *Pool) Put(", "if x == nil {", "if rouse.On != 0 && x != nil { if id := rouse.Controlled(); id != 0 { if p.rouseID != id { p.rouseID = id; p.rouseList = nil }; p.rouseList = append(p.rouseList, x); return } }", "likewise"),
	begin("sync/pool.go", "func (p *Pool) Get()", "if rouse.On != 0 { if id := rouse.Controlled(); id != 0 { if p.rouseID != id { p.rouseID = id; p.rouseList = nil }; if n := len(p.rouseList); n > 0 { x := p.rouseList[n-1]; p.rouseList = p.rouseList[:n-1]; return x }; if p.New != nil { return p.New() }; return nil } }", "likewise"),
}

// point stops before an operation of a type of package sync.
func point(file, in, op, receiver string) Patch {
	return begin(file, in, fmt.Sprintf("if rouse.On != 0 { rouse.Point(rouse.%s, uintptr(unsafe.Pointer(%s))) }", op, receiver), "a point")
}

// quietPoint is a point, and the operations that the function consists of are none.
func quietPoint(file, in, op, receiver string) Patch {
	text := "if rouse.On != 0 { rouse.Point(rouse.%s, uintptr(unsafe.Pointer(%s))); rouse.Quiet(1); defer rouse.Quiet(-1) }"
	return begin(file, in, fmt.Sprintf(text, op, receiver), "a point, quiet inside")
}
