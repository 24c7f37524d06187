package groups

import (
	"hash/fnv"
	"sync"
	"sync/atomic"
)

// Sum is the hash of a block.
func Sum(block []byte) uint64 {
	h := fnv.New64a()
	h.Write(block)
	return h.Sum64()
}

// A Hasher hashes blocks in the background.
type Hasher struct {
	started atomic.Int64
	wg      sync.WaitGroup
	mu      sync.Mutex
	sum     uint64
}

// Started returns how many blocks have been begun.
func (h *Hasher) Started() int { return int(h.started.Load()) }

func (h *Hasher) add(block []byte) {
	sum := Sum(block)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sum ^= sum
}

// Sum waits for all blocks, and returns the exclusive or of their hashes.
func (h *Hasher) Sum() uint64 {
	h.wg.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sum
}
