package example

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/puddle/v2"
)

// An Acquire is cancelled while the only resource is released; then the pool is closed, and waits for it.
func TestCancelBesideRelease(t *testing.T) {
	var alive atomic.Int32
	p, _ := puddle.NewPool(&puddle.Config[int]{
		Constructor: func(context.Context) (int, error) { return int(alive.Add(1)), nil }, Destructor: func(int) { alive.Add(-1) }, MaxSize: 1})
	r, _ := p.Acquire(context.Background())
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	go r.Release()
	if r, err := p.Acquire(ctx); err == nil {
		r.Release()
	}
	r, _ = p.Acquire(context.Background())
	go r.Destroy()
	if p.Close(); alive.Load() != 0 {
		t.Errorf("%d resources are left", alive.Load())
	}
}
