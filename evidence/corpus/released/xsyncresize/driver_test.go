package example

import (
	"sync"
	"testing"

	"github.com/puzpuzpuz/xsync/v3"
)

// What was stored is there, also if the map grew meanwhile.
func TestStoreAndGrow(t *testing.T) {
	m := xsync.NewMapOf[int, int]()
	for i := range 70 {
		m.Store(i, i)
	}
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			for i := range 8 {
				m.Store(100+8*g+i, i)
			}
		})
	}
	wg.Wait()
	for i := range 24 {
		if _, ok := m.Load(100 + i); !ok {
			t.Fatalf("%d is lost", 100+i)
		}
	}
}
