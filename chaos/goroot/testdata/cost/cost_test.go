// Package cost has programs by which the cost of an execution and of a point is measured.
package cost

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

func TestMutexes(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 5 { // each locks and unlocks
				mu.Lock()
				n++
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	if n != 40 {
		t.Errorf("%d, want 40", n)
	}
}

// size is the number that the environment variable COST_SIZE has.
func size(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("COST_SIZE"))
	if err != nil {
		t.Skip("COST_SIZE is no number")
	}
	return n
}

// TestCrowd has that many goroutines, which lock and unlock one mutex five times each.
func TestCrowd(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range size(t) {
		wg.Go(func() {
			for range 5 {
				mu.Lock()
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// TestLong has two goroutines that lock and unlock a mutex that many times each.
func TestLong(t *testing.T) {
	n := size(t)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range n {
				mu.Lock()
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// points is how many operations the tests below make, together.
const points = 200_000

func TestOneGoroutine(*testing.T) {
	var n atomic.Int64
	for range points {
		n.Add(1)
	}
}

func TestTwoGoroutines(*testing.T) {
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range points / 2 {
				n.Add(1)
			}
		})
	}
	wg.Wait()
}

// Each execution leaves goroutines behind. None of them may stay in the process.
func TestLeftBehind(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	c := make(chan []byte)
	go mu.Lock()
	go func() { c <- make([]byte, 1000) }()
	go func() { select {} }()
	if n := runtime.NumGoroutine(); n > 100 {
		t.Errorf("%d goroutines", n)
	}
}
