package small

import (
	"sync"
	"sync/atomic"
	"testing"
)

// count adds 1 twice, and what is then missing if the two goroutines read the same value.
func count(add func(n *atomic.Int64)) int64 {
	var n atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() { add(&n) })
	wg.Go(func() { add(&n) })
	wg.Wait()
	return 2 - n.Load()
}

func TestLost(t *testing.T) {
	if missing := count(func(n *atomic.Int64) { n.Store(n.Load() + 1) }); missing != 0 {
		t.Errorf("%d missing", missing)
	}
}

func TestLostFixed(t *testing.T) {
	if missing := count(func(n *atomic.Int64) { n.Add(1) }); missing != 0 {
		t.Errorf("%d missing", missing)
	}
}
