package locks

import "sync"

type shard struct {
	mu sync.Mutex
	n  int
}

// Shards counts in parts, so that goroutines do not wait for each other.
type Shards struct{ parts []shard }

func NewShards(n int) *Shards { return &Shards{make([]shard, n)} }

// Add counts in one part.
func (s *Shards) Add(key, n int) {
	part := &s.parts[key%len(s.parts)]
	part.mu.Lock()
	defer part.mu.Unlock()
	part.n += n
}
