package example

import (
	"context"
	"errors"
	"testing"

	"github.com/go-pkgz/pool"
)

// The only worker fails with its first item. Submit must not wait for it forever.
func TestSubmitBesideError(t *testing.T) {
	fails := pool.WorkerFunc[int](func(context.Context, int) error { return errors.New("failed") })
	p := pool.New(1, fails).WithBatchSize(0)
	if err := p.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		p.Submit(i)
	}
	if err := p.Close(context.Background()); err == nil {
		t.Error("Close returned no error")
	}
}
