package corpus

import (
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/internal/racing"
)

// What the gate runs of each test; the nightly job has more of them.
var (
	bugExecutions  = flag.Int("bug-executions", 1000, "of each planted bug, at most")
	twinExecutions = flag.Int("twin-executions", 300, "of each fixed twin")
	trapExecutions = flag.Int("trap-executions", 100, "of each trap")
	loopExecutions = flag.Int("loop-executions", 10, "of each test with loops that work or wait")
)

// long is the share of the tests that take minutes, of 1 to 3, that runs: "" is none.
var long string

func init() {
	flag.Func("long", "which tests named TestLong run: 1, 2, 3 or all", func(share string) error {
		if !slices.Contains([]string{"1", "2", "3", "all"}, share) {
			return errors.New("want 1, 2, 3 or all")
		}
		long = share
		return nil
	})
}

// takesMinutes skips a test unless its share runs: the gate runs one share for each commit, by turns, and the nightly
// job all. Both select these tests by the beginning of their names.
func takesMinutes(t *testing.T, share string) {
	t.Helper()
	if !strings.HasPrefix(t.Name(), "TestLong") {
		t.Fatal("no job of CI selects a test of this name")
	}
	if long != share && long != "all" {
		t.Skip("it takes minutes: -long runs it")
	}
}

// Catches: a planted bug that is not found or is reported as something else, and a false alarm of its
// fixed twin. Data races are looked for if these tests have the race detector themselves.
func TestPlanted(t *testing.T) {
	module, err := filepath.Abs("../testdata/planted")
	if err != nil {
		t.Fatal(err)
	}
	tool := builtTool(t)
	for _, mode := range modes {
		if (mode.suffix == "Race") != racing.Detector {
			continue
		}
		for _, fixed := range []bool{false, true} {
			name, executions := mode.name, *bugExecutions
			if fixed {
				name, executions = name+", fixed", *twinExecutions
			}
			t.Run(name, func(t *testing.T) {
				results, problems, err := tool.Planted(t.Context(), module, t.TempDir(), mode.name, fixed, executions)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range problems {
					t.Error(p)
				}
				for _, r := range results {
					t.Logf("%-20s %-5s %-12s execution %4d, %6d executions, %8d steps, %5.1f s", r.Test, r.Status, r.Verdict, r.Execution, r.Executions, r.Steps, r.Seconds)
				}
			})
		}
	}
}
