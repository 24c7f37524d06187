package selftest

import (
	"sync"
	"testing"
)

// With the race detector there is a race, and the twin has none.
func TestFoundRace(t *testing.T) {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n++ })
	}
	wg.Wait()
}

func TestNoRace(t *testing.T) {
	n := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			n++
		})
	}
	wg.Wait()
}
