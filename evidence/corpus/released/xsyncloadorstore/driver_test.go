package example

import (
	"sync"
	"testing"

	"github.com/puzpuzpuz/xsync"
)

// Two goroutines load or store the same key, and then a third value is stored.
func TestLoadOrStore(t *testing.T) {
	m := xsync.NewMap()
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { m.LoadOrStore("a", i) })
	}
	wg.Wait()
	m.Store("a", 2)
}
