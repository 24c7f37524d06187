package rayondemo

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a tree that is deeper, shallower or lopsided.
func TestJoinRecursively(t *testing.T) {
	if Joins != 65_535 {
		t.Fatalf("%d joins", Joins)
	}
	for name, run := range map[string]func(*pool.Pool) error{"closures": JoinRecursively, "Fn": JoinRecursivelyFn} {
		for workers := 1; workers <= 3; workers++ {
			p, err := pool.New(workers)
			if err != nil {
				t.Fatal(err)
			}
			if err := run(p); err != nil {
				t.Error(err)
			}
			if err := p.Close(context.Background()); err != nil { // now all counts are published
				t.Error(err)
			}
			if n := p.Stats().Joins; n != Joins {
				t.Errorf("%s, %d workers: %d joins, want %d", name, workers, n, Joins)
			}
		}
	}
}
