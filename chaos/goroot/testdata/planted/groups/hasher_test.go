package groups

import (
	"bytes"
	"runtime"
	"testing"
)

func TestHasher(t *testing.T) {
	var blocks [][]byte
	for i := range 2 {
		blocks = append(blocks, bytes.Repeat([]byte{byte(i)}, 100))
	}
	var h Hasher
	for _, b := range blocks {
		h.Start(b)
	}
	for h.Started() < len(blocks) {
		runtime.Gosched()
	}
	var want uint64
	for _, b := range blocks {
		want ^= Sum(b)
	}
	if got := h.Sum(); got != want {
		t.Errorf("Sum = %#x, want %#x", got, want)
	}
}
