package outside

import (
	"sync"
	"testing"
	"weak"
)

var (
	strong = new([100]int)
	w      = weak.Make(strong)
	sink   []byte
)

// The collector ends it, which runs when 256 MB have been allocated.
func TestUntilCollected(*testing.T) {
	strong = nil
	for mu := new(sync.Mutex); w.Value() != nil; {
		mu.Lock()
		sink = make([]byte, 1000)
		mu.Unlock()
	}
}
