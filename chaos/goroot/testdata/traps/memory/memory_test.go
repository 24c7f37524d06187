// Package memory sees what the garbage collector does.
package memory

import (
	"context"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unique"
	"weak"
)

var collected runtime.MemStats

// The collector does not run by itself.
func TestNoCollection(t *testing.T) {
	before := collected
	runtime.ReadMemStats(&before)
	for range 100 {
		use(make([]byte, 1<<20))
	}
	after := collected
	runtime.ReadMemStats(&after)
	if after.NumGC != before.NumGC {
		t.Error(after.NumGC-before.NumGC, "collections")
	}
}

var sink []byte

//go:noinline
func use(b []byte) { sink = b }

// The collector runs, and has those who allocate help it and give up their processor to it: from 256 MB on,
// most of them one piece that costs nothing.
func TestCollection(t *testing.T) {
	var most strings.Builder
	most.Grow(192 << 20)
	var mu sync.Mutex
	var all [][]*[64]*byte
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for range 22 {
				list := make([]*[64]*byte, 4<<10)
				for i := range list {
					list[i] = new([64]*byte)
				}
				mu.Lock()
				all = append(all, list)
				mu.Unlock()
			}
		})
	}
	group.Wait()
}

// What a call of GC has found is finalised when it returns.
func TestFinalizers(t *testing.T) {
	done := make(chan string, 2)
	func() {
		x, y := new([100]int), new([100]int)
		runtime.SetFinalizer(x, func(*[100]int) { done <- "finalizer" })
		runtime.AddCleanup(y, func(int) { done <- "cleanup" }, 0)
	}()
	runtime.GC()
	for range 2 {
		select {
		case <-done:
		default:
			t.Error("not done")
		}
	}
	go runtime.GC()
	runtime.GC()
}

// Somebody waits for a finalizer, and for nothing else.
func TestAwaited(t *testing.T) {
	done := make(chan bool)
	func() {
		x := new([100]int)
		runtime.SetFinalizer(x, func(*[100]int) { close(done) })
	}()
	runtime.GC()
	<-done
}

var cache sync.Map // of weak pointers

// Whether an entry of a cache is still there does not depend on the executions before.
func TestWeak(t *testing.T) {
	p, ok := cache.Load("entry")
	if ok && p.(weak.Pointer[[64]byte]).Value() != nil {
		runtime.Gosched() // shows in the trace
	}
	x := new([64]byte)
	x[0] = 1
	cache.Store("entry", weak.Make(x))
	time.Sleep(time.Second)
	p, _ = cache.Load("entry")
	if p.(weak.Pointer[[64]byte]).Value() == nil {
		t.Error("collected within the execution")
	}
}

var entry weak.Pointer[[64]byte]

// What only weak pointers refer to does not outlive its execution.
func TestWeakAlone(t *testing.T) {
	if entry.Value() != nil {
		t.Error("of an earlier execution")
	}
	x := new([64]byte)
	x[0] = 1
	entry = weak.Make(x)
}

var handles []unique.Handle[int]

// Whether a value is the first of its kind does not show.
func TestUniqueAgain(t *testing.T) {
	handles = append(handles, unique.Make(len(handles)/2))
}

func TestUnique(t *testing.T) {
	done := make(chan unique.Handle[string])
	for range 2 {
		go func() { done <- unique.Make("x" + t.Name()) }()
	}
	if <-done != <-done {
		t.Error("not unique")
	}
	if a, b := netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("fe80::1%eth0"); a != b {
		t.Error("not unique")
	}
}

func TestUncontrolledAllocations(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { use(make([]byte, 100)) }); n != 1 {
		t.Errorf("%v allocations", n)
	}
}

// The engine allocates, and what a test measures of its own would differ: no allocation is counted. The
// function runs as often as it would.
func TestAllocsPerRun(t *testing.T) {
	runs := 0
	n := testing.AllocsPerRun(10, func() {
		runs++
		use(make([]byte, 100))
	})
	if n != 0 || runs != 11 {
		t.Errorf("%v allocations in %d runs", n, runs)
	}
}

var (
	parent, _            = context.WithCancel(context.Background())
	children, finalizers atomic.Int64 // of all executions
)

// A context that lives as long as the process does not keep children that have been cancelled.
func TestContext(t *testing.T) {
	child, cancel := context.WithCancel(parent)
	runtime.SetFinalizer(child, func(context.Context) { finalizers.Add(1) })
	cancel()
	runtime.GC()
	// The engine knows the objects of this execution and the last one.
	if left := children.Add(1) - finalizers.Load(); left > 3 {
		t.Errorf("%d children are left", left)
	}
}
