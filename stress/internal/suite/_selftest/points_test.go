package selftest

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

func TestAtomics(t *testing.T) {
	var i32 int32
	var i64 int64
	var u32 uint32
	var u64 uint64
	var up uintptr
	add := atomic.AddInt64
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			atomic.AddInt32(&i32, 1)
			add(&i64, 1)
			atomic.StoreUint32(&u32, uint32(i))
			if !atomic.CompareAndSwapUint64(&u64, 0, 1) {
				atomic.SwapUintptr(&up, 7)
			}
			atomic.OrUint32(&u32, 2)
			if atomic.LoadInt32(&i32) == 1 {
				atomic.AddUintptr(&up, ^uintptr(0))
			}
		})
	}
	wg.Wait()
}

// Calls that the compiler cannot inline.
var (
	adder interface{ Add(int64) int64 }
	load  func() uint32
)

func TestAtomicTypes(t *testing.T) {
	var b atomic.Bool
	var i atomic.Int64
	var u atomic.Uint32
	var p atomic.Pointer[int]
	var v atomic.Value
	adder = &i
	load = u.Load
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			adder.Add(1)
			if b.CompareAndSwap(false, true) {
				p.Store(new(int))
			}
			u.Add(1)
			if load() == 2 {
				v.Store("x")
			}
			v.CompareAndSwap("x", "y")
			if p.Load() == nil {
				i.And(1)
			}
		})
	}
	wg.Wait()
}

func TestFoundLostUpdate(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	wg.Wait()
	if n.Load() != 2 {
		t.Error("an update is lost")
	}
}

func TestFoundAfterUnlock(t *testing.T) {
	var mu sync.Mutex
	var stopped, sent bool
	done := make(chan bool)
	go func() {
		mu.Lock()
		is := stopped
		mu.Unlock()
		mu.Lock()
		sent = !is
		if sent && stopped {
			t.Error("sent after the end")
		}
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	stopped = true
	mu.Unlock()
	<-done
}

func TestLocks(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if mu.TryLock() {
				shows(1)
				mu.Unlock()
			}
			rw.RLock()
			rw.RUnlock()
			if rw.TryRLock() {
				rw.RUnlock()
			}
			rw.Lock()
			rw.Unlock()
		})
	}
	wg.Wait()
}

func TestCond(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			for ready == 0 {
				c.Wait()
			}
			ready--
			mu.Unlock()
		})
	}
	mu.Lock()
	ready = 2
	mu.Unlock()
	c.Signal()
	c.Broadcast()
	wg.Wait()
}

func TestOnceAndPool(t *testing.T) {
	var once sync.Once
	var pool sync.Pool
	value := sync.OnceValue(func() int { return 7 })
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			once.Do(func() { shows(3) })
			if x, ok := pool.Get().(int); ok {
				shows(uint64(x))
			}
			pool.Put(i + value())
		})
	}
	wg.Wait()
}

func TestSyncMap(t *testing.T) {
	var m sync.Map
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if _, loaded := m.LoadOrStore("k", i); loaded {
				m.Delete("k")
			}
			m.Swap("l", i)
			m.CompareAndSwap("l", 0, 2)
			m.CompareAndDelete("l", 2)
			m.LoadAndDelete("k")
			if _, ok := m.Load("l"); ok {
				m.Clear()
			}
		})
	}
	wg.Wait()
}

func TestFoundInFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	var wg sync.WaitGroup
	made := make([]bool, 2)
	for i := range made {
		wg.Go(func() {
			if _, err := os.Stat(name); err == nil {
				return
			}
			made[i] = os.WriteFile(name, []byte("x"), 0o666) == nil
		})
	}
	wg.Wait()
	if made[0] && made[1] {
		t.Error("made twice")
	}
}
