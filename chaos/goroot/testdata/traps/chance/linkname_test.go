package chance

import (
	"sync/atomic"
	"testing"
	"unsafe"
)

// What the runtime draws for itself, as libraries reach it.

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

//go:linkname cheaprandn runtime.cheaprandn
func cheaprandn(n uint32) uint32

//go:linkname cheaprand64 runtime.cheaprand64
func cheaprand64() int64

//go:linkname fastrand runtime.fastrand
func fastrand() uint32

//go:linkname fastrandn runtime.fastrandn
func fastrandn(n uint32) uint32

//go:linkname fastrand64 runtime.fastrand64
func fastrand64() uint64

//go:linkname runtimeRand runtime.rand
func runtimeRand() uint64

//go:linkname randn runtime.randn
func randn(n uint32) uint32

//go:linkname memhash runtime.memhash
func memhash(p unsafe.Pointer, seed, s uintptr) uintptr

//go:linkname strhash runtime.strhash
func strhash(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

//go:linkname cputicks runtime.cputicks
func cputicks() int64

var drawnByLink = cheaprand()

func TestLinked(t *testing.T) {
	steps(int(drawnByLink % 16))
	steps(int(cheaprand() % 16))
	steps(int(cheaprandn(16)))
	steps(int(uint64(cheaprand64()) % 16))
	steps(int(fastrand() % 16))
	steps(int(fastrandn(16)))
	steps(int(fastrand64() % 16))
	steps(int(runtimeRand() % 16))
	steps(int(randn(16)))
	steps(int(uint64(cputicks()) % 16))
	x, s := uint64(7), "x"
	steps(int(memhash(unsafe.Pointer(&x), 1, 8) % 16))
	steps(int(strhash(unsafe.Pointer(&s), 1) % 16))
	seen := map[uint32]bool{}
	for range 64 {
		seen[cheaprandn(1<<20)] = true
	}
	if len(seen) < 60 {
		t.Error(len(seen), "of 64 draws differ")
	}
}

// Each goroutine has a processor of its own, as far as there are some.
func TestPinned(t *testing.T) {
	pid := procPin()
	procUnpin()
	other := make(chan int)
	go func() {
		defer procUnpin()
		other <- procPin()
	}()
	if p := <-other; p == pid || pid != 0 || p != 1 {
		t.Error("processors", pid, p)
	}
}

// A bug that does not depend on what is drawn, but it decides how many steps come before.
func TestFoundBehindDraws(t *testing.T) {
	var n, level atomic.Int32
	add := func() {
		for cheaprand()%2 == 0 {
			level.Add(1)
		}
		old := n.Load()
		n.Store(old + 1)
	}
	done := make(chan bool)
	go func() { add(); close(done) }()
	add()
	<-done
	if n.Load() != 2 {
		t.Error("an update is lost")
	}
}
