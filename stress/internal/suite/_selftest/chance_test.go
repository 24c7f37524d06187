package selftest

import (
	"context"
	crand "crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"hash/maphash"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

func TestMapOrder(t *testing.T) {
	small, large := map[int]int{}, map[string]int{}
	for i := range 6 {
		small[i] = i
	}
	for i := range 40 {
		large[string(rune('a'+i))] = i
	}
	for range 3 {
		var x uint64
		for k := range small {
			x = 31*x + uint64(k)
		}
		shows(x)
		for _, v := range large {
			x = 31*x + uint64(v)
		}
		shows(x)
	}
}

// The seed of a map is drawn where it is made, and where it becomes empty.
func TestMapSeeds(t *testing.T) {
	fill := func(m map[int]int) map[int]int {
		for i := range 20 {
			m[i] = i
		}
		return m
	}
	cleared, deleted := fill(map[int]int{}), fill(map[int]int{})
	clear(cleared)
	for i := range 20 {
		delete(deleted, i)
	}
	for _, m := range []map[int]int{fill(map[int]int{}), fill(make(map[int]int, 100)), fill(cleared), fill(deleted)} {
		var x uint64
		for k := range m {
			x = 31*x + uint64(k)
		}
		shows(x)
		shows(x / 11)
	}
}

func TestSyncMapOrder(t *testing.T) {
	var m sync.Map
	for i := range 20 {
		m.Store(i, i)
	}
	var x uint64
	m.Range(func(k, _ any) bool {
		x = 31*x + uint64(k.(int))
		return true
	})
	shows(x)
}

func TestRand(t *testing.T) {
	shows(rand.Uint64())
	shows(uint64(rand.Intn(1000)))
	own := rand.New(rand.NewSource(1))
	shows(own.Uint64())
}

// A source that outlives executions is in each as it was before the first.
var source = rand.New(rand.NewSource(2))

func TestSource(t *testing.T) {
	shows(source.Uint64())
	source.Seed(int64(source.Intn(9)))
	shows(source.Uint64())
}

var reseeded = rand.New(rand.NewSource(3))

// What one execution has seeded, another finds as it was.
func TestSourceSeeded(t *testing.T) {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		reseeded.Seed(1)
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	shows(reseeded.Uint64())
	mu.Unlock()
	<-done
}

func TestRandV2(t *testing.T) {
	shows(randv2.Uint64())
	shows(randv2.N(uint64(1000)))
}

func TestCryptoRand(t *testing.T) {
	var b [8]byte
	crand.Read(b[:])
	shows(binary.LittleEndian.Uint64(b[:]))
}

func TestHash(t *testing.T) {
	shows(maphash.String(maphash.MakeSeed(), "x"))
	shows(maphash.Comparable(maphash.MakeSeed(), 7))
}

func TestContextOrder(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	order := make(chan uint64, 8)
	for i := range 8 {
		child, stop := context.WithCancel(parent)
		defer stop()
		wg.Go(func() {
			<-child.Done()
			order <- uint64(i)
		})
	}
	cancel()
	wg.Wait()
	for range 8 {
		shows(<-order)
	}
}

func TestMachine(t *testing.T) {
	shows(uint64(runtime.NumCPU()))
	shows(uint64(runtime.GOMAXPROCS(0)))
	shows(uint64(runtime.NumGoroutine()))
	shows(uint64(runtime.GOMAXPROCS(3)))
	runtime.SetDefaultGOMAXPROCS()
	shows(uint64(runtime.GOMAXPROCS(0)))
	shows(uint64(testing.AllocsPerRun(1, func() { kept = new([64]byte) })))
}

var kept *[64]byte

// What the overlay adds to a stack does not show.
func TestStack(t *testing.T) {
	done := make(chan bool)
	go func() { done <- true }()
	all := make([]byte, 1<<16)
	all = all[:runtime.Stack(all, true)]
	for goroutine := range strings.SplitSeq(string(all), "\n\n") {
		if strings.Contains(goroutine, "TestStack") { // and not of a test before
			shows(uint64(strings.Count(goroutine, "\n")))
			shows(uint64(strings.Count(goroutine, "bubble")))
		}
	}
	var pcs [32]uintptr
	var m sync.Map
	m.Store(1, 1)
	m.Range(func(_, _ any) bool {
		shows(uint64(runtime.Callers(0, pcs[:])))
		shows(uint64(strings.Count(string(debug.Stack()), "\n")))
		return true
	})
	<-done
}

// Functions that only the compiler provides are called in code whose intrinsics are off.
func TestConstantTime(t *testing.T) {
	if subtle.ConstantTimeCompare([]byte("abc"), []byte("abc")) != 1 || subtle.ConstantTimeByteEq(1, 2) != 0 {
		t.Error("not equal")
	}
}

func TestTemporary(t *testing.T) {
	for range 3 {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.CreateTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	shows(randv2.Uint64())
}
