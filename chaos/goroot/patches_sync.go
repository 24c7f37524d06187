package goroot

import "strings"

// Package sync and sync/atomic.Value. The methods that are operations get other names; the added
// files sync/rouse*.go have methods of the old names, which are points around them.
var syncs = append(renamed(
	"internal/sync/mutex.go: func (m *Mutex) Lock() {",
	"internal/sync/mutex.go: func (m *Mutex) TryLock() bool {",
	"internal/sync/mutex.go: func (m *Mutex) Unlock() {",
	"sync/rwmutex.go: func (rw *RWMutex) RLock() {",
	"sync/rwmutex.go: func (rw *RWMutex) TryRLock() bool {",
	"sync/rwmutex.go: func (rw *RWMutex) RUnlock() {",
	"sync/rwmutex.go: func (rw *RWMutex) Lock() {",
	"sync/rwmutex.go: func (rw *RWMutex) TryLock() bool {",
	"sync/rwmutex.go: func (rw *RWMutex) Unlock() {",
	"sync/waitgroup.go: func (wg *WaitGroup) Add(delta int) {",
	"sync/waitgroup.go: func (wg *WaitGroup) Wait() {",
	"sync/cond.go: func (c *Cond) Signal() {",
	"sync/cond.go: func (c *Cond) Broadcast() {",
	"sync/map.go: func (m *Map) Load(key any) (value any, ok bool) {",
	"sync/map.go: func (m *Map) Store(key, value any) {",
	"sync/map.go: func (m *Map) Clear() {",
	"sync/map.go: func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {",
	"sync/map.go: func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {",
	"sync/map.go: func (m *Map) Delete(key any) {",
	"sync/map.go: func (m *Map) Swap(key, value any) (previous any, loaded bool) {",
	"sync/map.go: func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {",
	"sync/map.go: func (m *Map) CompareAndDelete(key, old any) (deleted bool) {",
	"sync/map.go: func (m *Map) Range(f func(key, value any) bool) {",
	"sync/atomic/value.go: func (v *Value) Load() (val any) {",
	"sync/atomic/value.go: func (v *Value) Store(val any) {",
	"sync/atomic/value.go: func (v *Value) Swap(new any) (old any) {",
	"sync/atomic/value.go: func (v *Value) CompareAndSwap(old, new any) (swapped bool) {",
), []Patch{
	begin("sync/cond.go", "func (c *Cond) Wait()", "if rouse.On != 0 { rouse.Point(rouse.CondWait, uintptr(unsafe.Pointer(c))) }", "a point"),
	begin("sync/once.go", "func (o *Once) Do(", "if rouse.On != 0 { rouse.Point(rouse.OnceDo, uintptr(unsafe.Pointer(o))) }", "a point"),
	before("sync/pool.go", "type Pool struct", "noCopy noCopy", "rouse rousePool", "what is put is got, last in first out, within an execution"),
	begin("sync/pool.go", "func (p *Pool) Put(", "p.rouse.mark = rouse.PoolMark; if rouse.On != 0 && p.rousePut(x) { return }", "likewise"),
	begin("sync/pool.go", "func (p *Pool) Get()", "p.rouse.mark = rouse.PoolMark; if rouse.On != 0 { if x, ok := p.rouseGet(); ok { return x } }", "likewise"),
}...)

// renamed renames methods, each given by its file and its first line: Lock becomes rouseLock.
func renamed(methods ...string) []Patch {
	var patches []Patch
	for _, m := range methods {
		file, line, _ := strings.Cut(m, ": ")
		at := strings.Index(line, ") ") + len(") ")
		patches = append(patches, replace(file, line, "", line[:at]+"rouse"+line[at:], "a point around it has the name"))
	}
	return patches
}
