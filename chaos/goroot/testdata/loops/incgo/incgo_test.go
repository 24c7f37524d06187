//go:build cgo

package incgo

import (
	"sync"
	"testing"
)

func TestCountsInC(*testing.T) {
	var mu sync.Mutex
	for next()%200_000 != 0 {
		mu.Lock()
		mu.Unlock()
	}
}
