//go:build !fixed

package groups

import "context"

// migrate tries again in a goroutine of its own, and waits for a slot while it has one itself.
func (t *Table) migrate(g *Group, i int) error {
	row, version := t.Read(i)
	if !t.Write(i, row+"+", version) {
		g.Go(func() error { return t.migrate(g, i) })
	}
	return nil
}

// deliver sends though nobody may be left to receive.
func deliver(_ context.Context, sizes chan<- int, size int) error {
	sizes <- size
	return nil
}

// run forgets the call if f panics: all that ask for its key then wait for ever.
func (s *Flight) run(key string, c *call, f func() (string, error)) {
	c.value, c.err = f()
	s.end(key, c)
}

// Start counts the goroutine in the goroutine: Sum may wait before.
func (h *Hasher) Start(block []byte) {
	go func() {
		h.started.Add(1)
		h.wg.Add(1)
		defer h.wg.Done()
		h.add(block)
	}()
}

// job is done twice if the context has ended.
func (b *Batch) job(ctx context.Context, i int) {
	defer b.wg.Done()
	if ctx.Err() != nil {
		b.wg.Done()
		return
	}
	b.record(i)
}
