//go:build fixed

package groups

import "context"

func (t *Table) migrate(_ *Group, i int) error {
	for {
		row, version := t.Read(i)
		if t.Write(i, row+"+", version) {
			return nil
		}
	}
}

func deliver(ctx context.Context, sizes chan<- int, size int) error {
	select {
	case sizes <- size:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Flight) run(key string, c *call, f func() (string, error)) {
	defer s.end(key, c)
	c.value, c.err = f()
}

// Start hashes a block.
func (h *Hasher) Start(block []byte) {
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		h.started.Add(1)
		h.add(block)
	}()
}

func (b *Batch) job(ctx context.Context, i int) {
	defer b.wg.Done()
	if ctx.Err() == nil {
		b.record(i)
	}
}
