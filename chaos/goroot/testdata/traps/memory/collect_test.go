package memory

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"
)

// used returns a weak pointer to a new value that has been used.
//
//go:noinline
func used[T any](use func(*T)) weak.Pointer[T] {
	x := new(T)
	use(x)
	return weak.Make(x)
}

func isCollected[T any](t *testing.T, what string, use func(*T)) {
	t.Helper()
	p := used(use)
	runtime.GC()
	if p.Value() != nil {
		t.Errorf("%s is kept", what)
	}
}

// What has been an object of operations is collected as what has not.
func TestObjectsCollected(t *testing.T) {
	type other struct{ _ [10]int }
	isCollected(t, "a lock", func(x *struct {
		sync.Mutex
		other
	}) {
		x.Lock()
		x.Unlock()
	})
	isCollected(t, "a lock for readers", func(x *struct {
		sync.RWMutex
		other
	}) {
		x.RLock()
		x.RUnlock()
	})
	isCollected(t, "a WaitGroup", func(x *struct {
		sync.WaitGroup
		other
	}) {
		x.Add(1)
		x.Done()
		x.Wait()
	})
	isCollected(t, "a Once", func(x *struct {
		sync.Once
		other
	}) {
		x.Do(func() {})
	})
	isCollected(t, "a variable", func(x *struct {
		atomic.Int64
		other
	}) {
		x.Add(1)
	})
	isCollected(t, "a map", func(x *struct {
		sync.Map
		other
	}) {
		x.Store(1, x)
	})
	isCollected(t, "what is in a channel", func(x *struct{ other }) {
		c := make(chan *struct{ other }, 1)
		c <- x
		select {
		case c <- nil:
		default:
		}
	})
	isCollected(t, "what a timer has called", func(x *struct{ other }) {
		c := make(chan struct{})
		time.AfterFunc(time.Millisecond, func() { runtime.KeepAlive(x); close(c) })
		<-c
	})
	isCollected(t, "what a context has had", func(x *struct{ other }) {
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), &cache, x))
		context.AfterFunc(ctx, func() { runtime.KeepAlive(x) })
		cancel()
		time.Sleep(time.Millisecond)
	})
}

// What waits for a finalizer or a cleanup goes on.
func TestFinalizerOfLock(t *testing.T) {
	done := make(chan int, 2)
	func() {
		x := &struct {
			sync.Mutex
			_ [10]int
		}{}
		x.Lock()
		x.Unlock()
		runtime.SetFinalizer(x, func(any) { done <- 1 })
		y := new(struct {
			atomic.Int64
			_ [10]int
		})
		y.Add(1)
		runtime.AddCleanup(y, func(n int) { done <- n }, 2)
	}()
	runtime.GC()
	if sum := <-done + <-done; sum != 3 {
		t.Error(sum)
	}
}

// An object that is still in use is the same object after a collection.
func TestFoundAfterCollection(t *testing.T) {
	var lock sync.Mutex
	var n atomic.Int64
	var group sync.WaitGroup
	lock.Lock()
	for range 4 {
		group.Go(func() {
			lock.Lock()
			lock.Unlock()
			was := n.Load()
			n.Store(was + 1)
		})
	}
	for range 100 {
		new(sync.Mutex).Lock()
	}
	runtime.GC()
	lock.Unlock()
	for range 100 {
		x := new(sync.Mutex)
		x.Lock()
		x.Unlock()
	}
	group.Wait()
	if n.Load() != 4 {
		t.Error("one is lost")
	}
}

// A pool keeps what it has over one collection, not over two. (It has a part for each processor: natively, what
// another one has put may be dropped by the first.)
func TestPoolCollected(t *testing.T) {
	var pool sync.Pool
	pool.Put(1)
	runtime.GC()
	pool.Put(2)
	if pool.Get() != 2 || pool.Get() != 1 {
		t.Error("the first collection has dropped something")
	}
	pool.Put(3)
	runtime.GC()
	pool.Put(4)
	runtime.GC()
	if x := pool.Get(); x != 4 {
		t.Error(x, "is got, want 4")
	}
	if x := pool.Get(); x != nil {
		t.Error(x, "is got, which two collections should have dropped")
	}
}
