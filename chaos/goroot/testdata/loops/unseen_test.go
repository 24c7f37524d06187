package loops

import (
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
	"weak"
)

// Loops that end, and whose progress is in memory that neither frames nor package-level variables lead to by a pointer that
// is known as one.

//go:noinline
func count(n *int64) bool { *n++; return *n%many == 0 }

func loopUnlocked(over func() bool) {
	for !over() {
		mu.Lock()
		mu.Unlock()
	}
}

type pooled struct {
	n    int64
	more [100]int64
}

var pool = sync.Pool{New: func() any { return new(pooled) }}

//go:noinline
func countPooled() bool {
	p := pool.Get().(*pooled)
	defer pool.Put(p)
	return count(&p.n)
}

func TestPool(*testing.T) { loopUnlocked(countPooled) }

func TestDeferred(*testing.T) {
	f := func() {
		mu.Lock()
		mu.Unlock()
	}
	for range many {
		defer f()
	}
}

type simulated struct{ now int64 }

//go:noinline
func (c *simulated) advance(d time.Duration) { c.now += int64(d) }

func TestSimulatedTime(*testing.T) {
	c := simulated{time.Now().UnixNano()}
	for end := c.now + int64(many*time.Millisecond); c.now < end; {
		mu.Lock()
		c.advance(time.Millisecond)
		mu.Unlock()
	}
}

func TestMapped(t *testing.T) {
	data, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	n := (*int64)(unsafe.Pointer(&data[0]))
	for !count(n) {
		mu.Lock()
		mu.Unlock()
	}
	syscall.Munmap(data)
}

//go:noinline
func countAt(p uintptr) bool { return count(*(**int64)(unsafe.Pointer(&p))) }

func TestMappedRaw(t *testing.T) {
	p, _, err := syscall.Syscall6(syscall.SYS_MMAP, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE, ^uintptr(0), 0)
	if err != 0 {
		t.Fatal(err)
	}
	for !countAt(p) {
		mu.Lock()
		mu.Unlock()
	}
}

type counted struct {
	n    int64
	next *counted
}

var head = &counted{next: &counted{}}

func TestUnnamed(*testing.T) {
	h := head
	if h == nil {
		h = &counted{next: &counted{}}
	}
	head = nil
	for !count(&h.next.n) {
		mu.Lock()
		mu.Unlock()
	}
}

func TestAddress(*testing.T) {
	block := make([]byte, many)
	at := uintptr(unsafe.Pointer(&block[0]))
	for end := at + many; at < end; at++ {
		mu.Lock()
		mu.Unlock()
	}
	runtime.KeepAlive(block)
}

func TestUncontrolledCPUTime(*testing.T) {
	used := func() int64 {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return u.Utime.Nano() + u.Stime.Nano()
	}
	for end := used() + int64(time.Second); used() < end; {
		mu.Lock()
		mu.Unlock()
	}
}

// The collector ends these. It does not run within the steps of an execution.

var sink *[2]int

func allocate(over func() bool) {
	for !over() {
		mu.Lock()
		sink = new([2]int)
		mu.Unlock()
	}
}

func TestUncontrolledWeak(*testing.T) {
	w := weak.Make(new([100]int))
	allocate(func() bool { return w.Value() == nil })
}

func TestUncontrolledFinalizer(*testing.T) {
	over := new(bool)
	runtime.SetFinalizer(new([100]int), func(*[100]int) {
		mu.Lock()
		defer mu.Unlock()
		*over = true
	})
	allocate(func() bool {
		mu.RLock()
		defer mu.RUnlock()
		return *over
	})
}

func TestUncontrolledCleanup(*testing.T) {
	over := new(bool)
	runtime.AddCleanup(new([100]int), func(over *bool) {
		mu.Lock()
		defer mu.Unlock()
		*over = true
	}, over)
	allocate(func() bool {
		mu.RLock()
		defer mu.RUnlock()
		return *over
	})
}
