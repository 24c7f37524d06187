//go:build chaos

package explore

import (
	"slices"
	std "sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
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

// TestBatchesSwitchAfter: a bug that shows only if tasks are switched directly after an operation, and
// before the plain code that follows it, is found.
func TestBatchesSwitchAfter(t *testing.T) {
	body := func(strategy.Execution) func() {
		return func() {
			var published atomic.Bool
			var value std.Int32 // no hook, and no data race
			go hooks.Task(func() {
				published.Store(true)
				value.Store(1) // too late
			})()
			if published.Load() && value.Load() == 0 {
				panic("published, but not written")
			}
		}
	}
	for _, name := range []string{"random", "pct", "pos", "portfolio", "urw"} {
		s, err := New(Options{Batches: batchesOf(t, name, 50, 1), Body: body, Seed: func(n int) uint64 { return uint64(n) }})
		if err != nil {
			t.Fatal(err)
		}
		n, r := s.Explore(Range{To: 1000})
		s.Close()
		if r.Verdict != verdict.Panicked {
			t.Errorf("%s: %d executions, and none has failed", name, n)
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
