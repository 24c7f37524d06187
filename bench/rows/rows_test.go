package rows

import (
	"context"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// here is a setup without what has to be installed.
func here(sizes Sizes) *Setup {
	gone := Foreign{Missing: "not in tests"}
	return &Setup{Sizes: sizes, Rayon: gone, TBB: gone}
}

// Catches: a contestant that computes the wrong thing, or a row whose bounds speak of what is not
// measured, or that is there twice.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range here(Tiny()).All() {
		if seen[row.Name] || strings.Contains(row.Name, " ") || !strings.HasSuffix(row.About, ".") {
			t.Errorf("row %q: there twice, or badly described", row.Name)
		}
		seen[row.Name] = true
		result, err := row.Run(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if failed := result.Failed(); failed != nil {
			t.Errorf("failed: %q", failed)
		}
		for _, b := range row.Bounds {
			if j := result.Judge(b); j.Unmeasured == "" && len(j.Rounds) != 1 {
				t.Errorf("%s, %s: judged %v in one round", row.Name, b.What, j.Rounds)
			}
		}
	}
}

// Catches: checks that let a wrong result pass.
func TestWrong(t *testing.T) {
	s := here(Tiny())
	v := numbers(s.Sort)
	if s.sorted(float64(v[len(v)/2]>>11)) == nil {
		t.Error("numbers that are not sorted pass")
	}
	if exactly(4)(5) == nil || exactly(4)(4) != nil {
		t.Error("5 is 4")
	}
	lazy := s.sorting("lazy", 1, func(*pool.Worker, []uint64) {})
	if _, err := lazy.Turn(context.Background()); err == nil || !strings.Contains(err.Error(), "not sorted") {
		t.Errorf("%v, want that nothing was sorted", err)
	}
}
