// Package points has windows before and after operations. A test named TestFound... fails in some
// execution, the others in none.
package points

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// after fails if something observes what publish does before the plain code that follows it.
func after(t *testing.T, publish func(), observe func() bool) {
	late := false
	done := make(chan bool)
	go func() {
		publish()
		late = true
		done <- true
	}()
	if observe() && !late {
		t.Error("between an operation and the code that follows it")
	}
	<-done
}

func TestFoundAfterUnlock(t *testing.T) {
	var mu sync.Mutex
	locked := false
	after(t, func() { mu.Lock(); locked = true; mu.Unlock() }, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return locked
	})
}

func TestFoundAfterRUnlock(t *testing.T) {
	var mu sync.RWMutex
	locked := false
	after(t, func() { mu.RLock(); locked = true; mu.RUnlock() }, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return locked
	})
}

func TestFoundAfterWUnlock(t *testing.T) {
	var mu sync.RWMutex
	locked := false
	after(t, func() { mu.Lock(); locked = true; mu.Unlock() }, func() bool {
		mu.RLock()
		defer mu.RUnlock()
		return locked
	})
}

func TestFoundAfterRLockerUnlock(t *testing.T) {
	var mu sync.RWMutex
	locked := false
	after(t, func() { mu.RLocker().Lock(); locked = true; mu.RLocker().Unlock() }, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return locked
	})
}

func TestFoundAfterDone(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	after(t, wg.Done, func() bool { wg.Wait(); return true })
}

func TestFoundAfterSend(t *testing.T) {
	c := make(chan int, 1)
	after(t, func() { c <- 1 }, func() bool { <-c; return true })
}

func TestFoundAfterClose(t *testing.T) {
	c := make(chan int)
	after(t, func() { close(c) }, func() bool { <-c; return true })
}

func TestFoundAfterSignal(t *testing.T)    { cond(t, (*sync.Cond).Signal) }
func TestFoundAfterBroadcast(t *testing.T) { cond(t, (*sync.Cond).Broadcast) }

func cond(t *testing.T, wake func(*sync.Cond)) {
	c := sync.NewCond(new(sync.Mutex))
	set := false
	c.L.Lock()
	after(t, func() { c.L.Lock(); set = true; c.L.Unlock(); wake(c) }, func() bool {
		for !set {
			c.Wait()
		}
		c.L.Unlock()
		return true
	})
}

func TestFoundAfterOnce(t *testing.T) {
	var once sync.Once
	mine := true
	after(t, func() { once.Do(func() {}) }, func() bool {
		mine = false
		once.Do(func() { mine = true })
		return !mine
	})
}

func TestFoundAfterMapStore(t *testing.T) {
	mapped(t, func(m *sync.Map) { m.Store(1, true) })
}

func TestFoundAfterMapLoadOrStore(t *testing.T) {
	mapped(t, func(m *sync.Map) { m.LoadOrStore(1, true) })
}

func TestFoundAfterMapSwap(t *testing.T) {
	mapped(t, func(m *sync.Map) { m.Swap(1, true) })
}

func TestFoundAfterMapCompareAndSwap(t *testing.T) {
	mapped(t, func(m *sync.Map) { m.CompareAndSwap(2, false, true) })
}

func TestFoundAfterMapDelete(t *testing.T) {
	mapped(t, func(m *sync.Map) { m.Delete(3) })
}

func TestFoundAfterMapClear(t *testing.T) {
	mapped(t, func(m *sync.Map) { m.Clear() })
}

func mapped(t *testing.T, write func(m *sync.Map)) {
	var m sync.Map
	m.Store(2, false)
	m.Store(3, true)
	after(t, func() { write(&m) }, func() bool {
		_, one := m.Load(1)
		two, _ := m.Load(2)
		_, three := m.Load(3)
		return one || two == true || !three
	})
}

func TestFoundAfterValueStore(t *testing.T) {
	var v atomic.Value
	after(t, func() { v.Store(1) }, func() bool { return v.Load() != nil })
}

func TestFoundAfterValueSwap(t *testing.T) {
	var v atomic.Value
	after(t, func() { v.Swap(1) }, func() bool { return v.Load() != nil })
}

func TestFoundAfterValueCompareAndSwap(t *testing.T) {
	var v atomic.Value
	after(t, func() { v.CompareAndSwap(nil, 1) }, func() bool { return v.Load() != nil })
}

func TestFoundAfterStoreFunc(t *testing.T) {
	var x int64
	after(t, func() { atomic.StoreInt64(&x, 1) }, func() bool { return atomic.LoadInt64(&x) == 1 })
}

func TestFoundAfterPointerFunc(t *testing.T) {
	var x unsafe.Pointer
	after(t, func() { atomic.StorePointer(&x, unsafe.Pointer(t)) }, func() bool { return atomic.LoadPointer(&x) != nil })
}

func TestFoundAfterSwap(t *testing.T) {
	var x atomic.Uint32
	after(t, func() { x.Swap(1) }, func() bool { return x.Load() == 1 })
}

func TestFoundAfterCompareAndSwap(t *testing.T) {
	var x atomic.Pointer[testing.T]
	after(t, func() { x.CompareAndSwap(nil, t) }, func() bool { return x.Load() != nil })
}

func TestFoundAfterOr(t *testing.T) {
	var x atomic.Uintptr
	after(t, func() { x.Or(1) }, func() bool { return x.Load() == 1 })
}

func TestFoundAfterBool(t *testing.T) {
	var x atomic.Bool
	after(t, func() { x.Store(true) }, x.Load)
}

// A method value, and a call through an interface.
func TestFoundAfterMethodValue(t *testing.T) {
	var x atomic.Int32
	after(t, func() { call(x.Add) }, func() bool { return x.Load() == 1 })
}

func TestFoundAfterInterface(t *testing.T) {
	var x atomic.Int64
	after(t, func() { store(&x) }, func() bool { return x.Load() == 1 })
}

//go:noinline
func call(add func(int32) int32) { add(1) }

//go:noinline
func store(x interface{ Store(int64) }) { x.Store(1) }

// What has failed publishes nothing.
func TestFailedCompareAndSwap(t *testing.T) {
	var x atomic.Int64
	var mu sync.Mutex
	after(t, func() {
		if x.CompareAndSwap(1, 2) || !mu.TryLock() {
			t.Error("succeeded")
		}
	}, func() bool { runtime.Gosched(); return x.Load() != 0 })
}
