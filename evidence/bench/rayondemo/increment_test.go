package rayondemo

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a counter that is skipped, or incremented twice, in any iteration.
func TestIncrementAll(t *testing.T) {
	for _, v := range Variants() {
		inPools(t, func(t *testing.T, p *pool.Pool) {
			const iterations = 3
			a := NewIncrementAll(v.Options...)
			for range iterations {
				if err := a.Run(p); err != nil {
					t.Fatal(err)
				}
			}
			if len(a.Counters) != 102_400 {
				t.Fatalf("%s: %d counters", v.Name, len(a.Counters))
			}
			for i, n := range a.Counters {
				if n != iterations {
					t.Fatalf("%s: counter %d is %d, want %d", v.Name, i, n, iterations)
				}
			}
		})
	}
}

// Catches: a variant whose leaves are not those of rayon's. Thieves make more of
// them, up to one for each element, but not in the serialized one.
func TestVariantsLeaves(t *testing.T) {
	for _, v := range Variants() {
		var leaves atomic.Int64
		inTwo(t, func(w *pool.Worker) {
			pool.ForRange(w, Counters, func(_ *pool.Worker, lo, hi int) { leaves.Add(1) }, v.Options...)
		})
		if n := int(leaves.Load()); n < v.leaves || n > v.leaves && v.leaves == 1 {
			t.Errorf("%s: %d leaves, want %d, or more if some are stolen", v.Name, n, v.leaves)
		}
	}
}

// inTwo runs f in a pool of two.
func inTwo(t *testing.T, f func(w *pool.Worker)) {
	t.Helper()
	p, err := pool.New(2)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(context.Background())
	if err := p.Run(context.Background(), func(w *pool.Worker) error { f(w); return nil }); err != nil {
		t.Fatal(err)
	}
}
