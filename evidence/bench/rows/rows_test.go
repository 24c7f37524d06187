package rows

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/evidence/bench/foreign"
	"github.com/rouse-go/rouse/pool"
	"go.uber.org/goleak"
)

type tests struct{ goleak.TestingM }

func (m tests) Run() int {
	code := m.TestingM.Run()
	_ = pool.Default().Close(context.Background()) // the hasher's
	return code
}

// TestMain is also a child, if it is started as one.
func TestMain(m *testing.M) {
	if os.Getenv(asChild) == "" {
		goleak.VerifyTestMain(tests{m})
		return
	}
	if err := Child(context.Background(), os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

// asChild is set in the environment of a child.
const asChild = "BENCH_ROWS_CHILD"

// here is a setup without what has to be installed.
func here(t *testing.T) *Setup {
	t.Helper()
	t.Setenv(asChild, "yes")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	gone := Foreign{Missing: "not in tests"}
	quota := OpenQuota()
	t.Cleanup(func() {
		if err := quota.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Setup{Quota: quota, Sizes: Tiny(), Rayon: gone, TBB: gone, Self: Foreign{Program: foreign.New("child", self)}}
}

// Catches: a contestant that computes the wrong thing, or a row whose bounds speak of what is not
// measured, or that is there twice.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range here(t).All() {
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
	s := here(t)
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

// Catches: a child that answers without a question, or to the wrong number of numbers, or for a
// kind that there is not.
func TestChild(t *testing.T) {
	s := here(t)
	for want, args := range map[string][]int{
		`child: no row "idle" with 1 numbers`: {1},
		"child: no kind 99":                   {99, 1, 1},
	} {
		if _, err := s.child("", exactly(0), inCPU, "idle", args...).Turn(t.Context()); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Catches: memory that is not seen, or is still seen when it is garbage.
func TestMemoryInUse(t *testing.T) {
	before := memoryInUse()
	held := make([]byte, 10<<20)
	if more := memoryInUse() - before; more < 9<<20 { // what other tests have left may end meanwhile
		t.Errorf("10 MiB more are %v bytes", more)
	}
	held[0] = 1
	if more := memoryInUse() - before; more > 5<<20 {
		t.Errorf("nothing more is %v bytes", more)
	}
}
