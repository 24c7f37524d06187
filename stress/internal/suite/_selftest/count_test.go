package selftest

import (
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// How many executions it takes to explore all orders of these tests is a number.

func TestCountAtomics(t *testing.T) {
	var x, y, a, b atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() {
		x.Store(1)
		a.Store(y.Load())
	})
	y.Store(1)
	b.Store(x.Load())
	wg.Wait()
	if a.Load() == 0 && b.Load() == 0 {
		t.Error("not sequentially consistent")
	}
}

func TestCountLocks(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
		rw.RLock()
		rw.RUnlock()
	})
	mu.Lock()
	mu.Unlock()
	rw.Lock()
	rw.Unlock()
	wg.Wait()
}

func TestCountReaders(t *testing.T) {
	var rw sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		rw.RLock()
		rw.RUnlock()
	})
	rw.RLock()
	rw.RUnlock()
	wg.Wait()
}

func TestCountChannels(t *testing.T) {
	c := make(chan int, 1)
	for i := range 2 {
		go func() { c <- i }()
	}
	shows(uint64(<-c))
	<-c
}

// beside calls two functions on two goroutines, and waits for both.
func beside(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	g()
	wg.Wait()
}

// Which of two goroutines comes first in package testing, or closes a file that the other one uses, is not explored.
// So a search of these tests has to say that there are other orders.

func TestCountCleanup(t *testing.T) {
	go t.Cleanup(func() {})
}

func TestCountFolders(t *testing.T) {
	go t.TempDir()
	t.TempDir()
}

func TestCountSkip(t *testing.T) {
	t.Run("sub", func(t *testing.T) { go t.SkipNow() })
}

func TestCountNames(t *testing.T) {
	beside(func() { t.Run("x", func(*testing.T) {}) }, func() { t.Run("x", func(*testing.T) {}) })
}

func TestCountOfParent(t *testing.T) {
	for range 2 {
		t.Run("sub", func(s *testing.T) {
			s.Parallel()
			t.Cleanup(func() {})
		})
	}
}

func TestCountClose(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	beside(func() { f.Close() }, func() { f.Chmod(0o600) }) //nolint:errcheck // it may fail
}

// More tests than run at a time.
func TestCountParallel(t *testing.T) {
	for range 3 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			time.Sleep(time.Second)
		})
	}
}

// These have no such order.
func TestCountOne(t *testing.T) {
	beside(func() { t.TempDir() }, func() { t.Skipped() })
	t.Cleanup(func() {})
}
