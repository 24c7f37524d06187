package points

import (
	"sync"
	"sync/atomic"
	"testing"
)

// twice runs f in two goroutines.
func twice(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(f)
	wg.Wait()
}

func TestFoundLostUpdate(t *testing.T) {
	var x atomic.Int64
	twice(func() { x.Store(x.Load() + 1) })
	if x.Load() != 2 {
		t.Error("an update is lost")
	}
}

func TestFoundLostUpdateFunc(t *testing.T) {
	var x uint32
	twice(func() { atomic.StoreUint32(&x, atomic.LoadUint32(&x)+1) })
	if x != 2 {
		t.Error("an update is lost")
	}
}

func TestFoundLostUpdateValue(t *testing.T) {
	var x atomic.Value
	x.Store(0)
	twice(func() { x.Store(x.Load().(int) + 1) })
	if x.Load() != 2 {
		t.Error("an update is lost")
	}
}

func TestFoundLostUpdateMap(t *testing.T) {
	var m sync.Map
	m.Store(1, 0)
	twice(func() { v, _ := m.Load(1); m.Store(1, v.(int)+1) })
	if v, _ := m.Load(1); v != 2 {
		t.Error("an update is lost")
	}
}

func TestFoundTryLock(t *testing.T) {
	var mu sync.Mutex
	var n atomic.Int32
	twice(func() {
		if mu.TryLock() {
			n.Add(1)
			mu.Unlock()
		}
	})
	if n.Load() != 2 {
		t.Error("a TryLock failed")
	}
}

func TestFoundTryRLock(t *testing.T) {
	var mu sync.RWMutex
	var failed atomic.Bool
	go func() { mu.Lock(); mu.Unlock() }()
	twice(func() {
		if !mu.TryRLock() {
			failed.Store(true)
			return
		}
		mu.RUnlock()
	})
	if failed.Load() {
		t.Error("a TryRLock failed")
	}
}

// A writer that waits keeps new readers out.
func TestFoundTwoRLocks(t *testing.T) {
	var mu sync.RWMutex
	go func() { mu.Lock(); mu.Unlock() }()
	mu.RLock()
	mu.RLock()
	mu.RUnlock()
	mu.RUnlock()
}

func TestMutexes(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	x, y := 0, 0
	twice(func() {
		mu.Lock()
		x++
		mu.Unlock()
		rw.Lock()
		y++
		rw.Unlock()
		rw.RLock()
		if y == 0 {
			t.Error("no write")
		}
		rw.RUnlock()
	})
	if x != 2 || y != 2 {
		t.Error(x, y)
	}
}

func TestOnce(t *testing.T) {
	var once sync.Once
	n, calls := 0, 0
	f := sync.OnceFunc(func() { calls++ })
	v := sync.OnceValue(func() int { calls++; return 7 })
	twice(func() {
		once.Do(func() { n++ })
		f()
		if v() != 7 {
			t.Error("not 7")
		}
	})
	if n != 1 || calls != 2 {
		t.Error(n, calls)
	}
}

func TestMap(t *testing.T) {
	var m sync.Map
	var stored atomic.Int32
	twice(func() {
		if _, loaded := m.LoadOrStore("a", 1); !loaded {
			stored.Add(1)
		}
		m.Range(func(k, v any) bool {
			m.Store(k, v)
			return true
		})
	})
	if stored.Load() != 1 {
		t.Error(stored.Load(), "have stored")
	}
}

// A panic inside of an operation leaves its points as they were.
func TestFoundPanicInside(t *testing.T) {
	var wg sync.WaitGroup
	var m sync.Map
	var v atomic.Value
	for _, f := range []func(){
		func() { wg.Done() },
		func() { m.Store(func() {}, 1) },
		func() { m.Range(func(_, _ any) bool { panic("inside") }) },
		func() { v.Store(nil) },
	} {
		m.Store(1, 1)
		func() {
			defer func() {
				if recover() == nil {
					t.Fatal("no panic")
				}
			}()
			f()
		}()
	}
	TestFoundLostUpdate(t)
}
