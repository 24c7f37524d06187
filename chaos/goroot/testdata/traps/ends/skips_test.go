package ends

import (
	"math/rand"
	"sync"
	"sync/atomic"
	"testing"
)

var prepared atomic.Bool

// lost loses an update in some orders.
func lost() bool {
	var mu sync.Mutex
	n := 0
	var adders sync.WaitGroup
	for range 2 {
		adders.Go(func() {
			mu.Lock()
			was := n
			mu.Unlock()
			mu.Lock()
			n = was + 1
			mu.Unlock()
		})
	}
	adders.Wait()
	return n != 2
}

// Only the first execution of a process does not skip.
func TestFoundBehindSkip(t *testing.T) {
	if !prepared.CompareAndSwap(false, true) {
		t.Skip("it is prepared already")
	}
	if lost() {
		t.Error("lost")
	}
}

// Some executions skip.
func TestFoundBesideSkips(t *testing.T) {
	if rand.Intn(2) == 0 {
		t.Skip("by chance")
	}
	if lost() {
		t.Error("lost")
	}
}
