// Command uses calls everything that the drop-ins for sync and sync/atomic have.
// The normal build of it must hold no symbol of theirs.
package main

import (
	"unsafe"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

func main() {
	locks()
	onces()
	containers()
	integers()
	values()
}

func locks() {
	var m sync.Mutex
	m.Lock()
	println(m.TryLock())
	m.Unlock()

	var rw sync.RWMutex
	rw.Lock()
	println(rw.TryLock(), rw.TryRLock())
	rw.Unlock()
	rw.RLock()
	rw.RUnlock()
	var l sync.Locker = rw.RLocker()
	l.Lock()
	l.Unlock()

	c := sync.NewCond(&m)
	var wg sync.WaitGroup
	wg.Add(1)
	m.Lock()
	ready := false
	wg.Go(func() {
		m.Lock()
		ready = true
		m.Unlock()
		c.Signal()
		c.Broadcast()
		wg.Done()
	})
	for !ready {
		c.Wait()
	}
	m.Unlock()
	wg.Wait()
}

func onces() {
	var once sync.Once
	once.Do(func() { println("once") })
	sync.OnceFunc(func() { println("func") })()
	println(sync.OnceValue(func() int { return len("value") })())
	a, b := sync.OnceValues(func() (string, error) { return "values", nil })()
	println(a, b)
}

func containers() {
	var m sync.Map
	m.Store(1, 2)
	m.Load(1)
	m.LoadOrStore(1, 3)
	m.Swap(1, 4)
	m.CompareAndSwap(1, 4, 5)
	m.CompareAndDelete(1, 4)
	m.LoadAndDelete(1)
	m.Delete(1)
	m.Range(func(k, v any) bool { return true })
	m.Clear()

	p := sync.Pool{New: func() any { return 1 }}
	p.Put(p.Get())
}

func integers() {
	var int32Method atomic.Int32
	int32Method.Store(1)
	println(int32Method.Load(), int32Method.Swap(2), int32Method.CompareAndSwap(2, 3), int32Method.Add(1), int32Method.And(3), int32Method.Or(4))
	var int32Func int32
	atomic.StoreInt32(&int32Func, 1)
	println(atomic.LoadInt32(&int32Func), atomic.SwapInt32(&int32Func, 2), atomic.CompareAndSwapInt32(&int32Func, 2, 3))
	println(atomic.AddInt32(&int32Func, 1), atomic.AndInt32(&int32Func, 3), atomic.OrInt32(&int32Func, 4))

	var int64Method atomic.Int64
	int64Method.Store(1)
	println(int64Method.Load(), int64Method.Swap(2), int64Method.CompareAndSwap(2, 3), int64Method.Add(1), int64Method.And(3), int64Method.Or(4))
	var int64Func int64
	atomic.StoreInt64(&int64Func, 1)
	println(atomic.LoadInt64(&int64Func), atomic.SwapInt64(&int64Func, 2), atomic.CompareAndSwapInt64(&int64Func, 2, 3))
	println(atomic.AddInt64(&int64Func, 1), atomic.AndInt64(&int64Func, 3), atomic.OrInt64(&int64Func, 4))

	var uint32Method atomic.Uint32
	uint32Method.Store(1)
	println(uint32Method.Load(), uint32Method.Swap(2), uint32Method.CompareAndSwap(2, 3), uint32Method.Add(1), uint32Method.And(3), uint32Method.Or(4))
	var uint32Func uint32
	atomic.StoreUint32(&uint32Func, 1)
	println(atomic.LoadUint32(&uint32Func), atomic.SwapUint32(&uint32Func, 2), atomic.CompareAndSwapUint32(&uint32Func, 2, 3))
	println(atomic.AddUint32(&uint32Func, 1), atomic.AndUint32(&uint32Func, 3), atomic.OrUint32(&uint32Func, 4))

	var uint64Method atomic.Uint64
	uint64Method.Store(1)
	println(uint64Method.Load(), uint64Method.Swap(2), uint64Method.CompareAndSwap(2, 3), uint64Method.Add(1), uint64Method.And(3), uint64Method.Or(4))
	var uint64Func uint64
	atomic.StoreUint64(&uint64Func, 1)
	println(atomic.LoadUint64(&uint64Func), atomic.SwapUint64(&uint64Func, 2), atomic.CompareAndSwapUint64(&uint64Func, 2, 3))
	println(atomic.AddUint64(&uint64Func, 1), atomic.AndUint64(&uint64Func, 3), atomic.OrUint64(&uint64Func, 4))

	var uintptrMethod atomic.Uintptr
	uintptrMethod.Store(1)
	println(uintptrMethod.Load(), uintptrMethod.Swap(2), uintptrMethod.CompareAndSwap(2, 3), uintptrMethod.Add(1), uintptrMethod.And(3), uintptrMethod.Or(4))
	var uintptrFunc uintptr
	atomic.StoreUintptr(&uintptrFunc, 1)
	println(atomic.LoadUintptr(&uintptrFunc), atomic.SwapUintptr(&uintptrFunc, 2), atomic.CompareAndSwapUintptr(&uintptrFunc, 2, 3))
	println(atomic.AddUintptr(&uintptrFunc, 1), atomic.AndUintptr(&uintptrFunc, 3), atomic.OrUintptr(&uintptrFunc, 4))
}

type node struct{ next atomic.Pointer[node] }

func values() {
	var b atomic.Bool
	b.Store(true)
	println(b.Load(), b.Swap(false), b.CompareAndSwap(false, true))

	var n node
	n.next.Store(&n)
	println(n.next.Load() == &n, n.next.Swap(nil) == &n, n.next.CompareAndSwap(nil, &n))

	var v atomic.Value
	v.Store(1)
	println(v.Load().(int), v.Swap(2).(int), v.CompareAndSwap(2, 3))

	var p unsafe.Pointer
	atomic.StorePointer(&p, unsafe.Pointer(&n))
	println(atomic.LoadPointer(&p) == nil, atomic.SwapPointer(&p, nil) == nil, atomic.CompareAndSwapPointer(&p, nil, nil))
}
