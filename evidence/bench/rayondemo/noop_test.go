package rayondemo

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: an iteration that gives the pool nothing to do, or more than one job.
func TestNoop(t *testing.T) {
	p, err := pool.New(2)
	if err != nil {
		t.Fatal(err)
	}
	const iterations = 3
	for range iterations {
		if err := Noop(p); err != nil {
			t.Error(err)
		}
	}
	if err := p.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if n := p.Stats().Injected; n != iterations {
		t.Errorf("%d jobs, want %d", n, iterations)
	}
	if err := Noop(p); err == nil {
		t.Error("a job that the closed pool has not taken goes unnoticed")
	}
}
