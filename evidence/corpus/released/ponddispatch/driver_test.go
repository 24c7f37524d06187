package example

import (
	"sync"
	"testing"

	"github.com/alitto/pond/v2"
)

// A task is submitted while the pool is stopped.
func TestSubmitAndStop(t *testing.T) {
	pool := pond.NewPool(1)
	var wg sync.WaitGroup
	wg.Go(func() { pool.Submit(func() {}) })
	pool.StopAndWait()
	wg.Wait()
}
