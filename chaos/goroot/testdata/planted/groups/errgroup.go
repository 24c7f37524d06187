package groups

import (
	"context"
	"sync"
)

// A Group is goroutines that work at one task. The first error ends it.
type Group struct {
	cancel func(error)
	wg     sync.WaitGroup
	slots  chan struct{}
	once   sync.Once
	err    error
}

// WithContext returns a group, and a context that ends with its first error or with Wait.
func WithContext(ctx context.Context) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Group{cancel: cancel}, ctx
}

// SetLimit limits how many goroutines run at a time.
func (g *Group) SetLimit(n int) { g.slots = make(chan struct{}, n) }

// Wait waits for all, and returns the first error.
func (g *Group) Wait() error {
	g.wg.Wait()
	if g.cancel != nil {
		g.cancel(g.err)
	}
	return g.err
}

// Go starts a goroutine. It waits for a slot.
func (g *Group) Go(f func() error) {
	if g.slots != nil {
		g.slots <- struct{}{}
	}
	g.wg.Add(1)
	go func() {
		defer g.done()
		if err := f(); err != nil {
			g.once.Do(func() {
				g.err = err
				if g.cancel != nil {
					g.cancel(err)
				}
			})
		}
	}()
}

func (g *Group) done() {
	if g.slots != nil {
		<-g.slots
	}
	g.wg.Done()
}
