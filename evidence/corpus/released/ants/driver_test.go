package example

import (
	"sync"
	"testing"

	"github.com/panjf2000/ants/v2"
)

// Submit beside Release runs its task or returns an error.
func TestSubmitBesideRelease(t *testing.T) {
	pool, err := ants.NewPool(1)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { pool.Submit(func() {}) })
	}
	pool.Release()
	wg.Wait()
}
