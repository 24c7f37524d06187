//go:build chaos

package explore

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

func batchesOf(t *testing.T, name string, size, variants int) *Batches {
	t.Helper()
	if _, err := strategy.Parse(name); err != nil {
		t.Fatal(err)
	}
	return NewBatches(func() strategy.Strategy {
		s, _ := strategy.Parse(name)
		return s
	}, size, variants)
}

// TestBatchesAreIndependent: what an execution does does not depend on whether the batches before its
// own have run.
func TestBatchesAreIndependent(t *testing.T) {
	for _, name := range []string{"random", "pct", "pos", "urw", "surw", "portfolio"} {
		hashes := func(from int) (all []uint64) {
			s := newSearch(t, Options{Batches: batchesOf(t, name, 10, 2)}, 2)
			defer s.Close()
			for n := from; n < 20; n++ {
				r, _ := s.Run(n)
				if n >= 10 {
					all = append(all, r.Hash)
				}
			}
			return all
		}
		if with, without := hashes(0), hashes(10); !slices.Equal(with, without) {
			t.Errorf("%s: with the batch before %x, without %x", name, with, without)
		}
	}
}

// TestExhausted: exhaustive strategies explore each variant to its end, in one batch.
func TestExhausted(t *testing.T) {
	for _, name := range []string{"dfs", "dfs(1)", "dpor"} {
		count := func(variants int) int {
			b := batchesOf(t, name, 10, variants)
			s := newSearch(t, Options{Batches: b}, variants)
			defer s.Close()
			s.Judge = func(r control.Result) control.Result { return r }
			if n, _ := s.Explore(Range{To: 100_000}); !s.Exhausted() || !b.Exhaustive() || b.Of(n) != 0 {
				t.Errorf("%s: stopped at execution %d", name, n)
			}
			if bounded := b.Bounded(); (bounded != "") != (name == "dfs(1)") {
				t.Errorf("%s: bounded %q", name, bounded)
			}
			return s.Executions()
		}
		if one, two := count(1), count(2); one < 3 || two < 2*one {
			t.Errorf("%s: %d executions of one variant, %d of two", name, one, two)
		}
	}
}
