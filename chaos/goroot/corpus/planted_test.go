package corpus

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/rouse-go/rouse/internal/racing"
)

// What the gate runs of each test; the nightly job has more of them.
var (
	bugExecutions  = flag.Int("bug-executions", 1000, "of each planted bug, at most")
	twinExecutions = flag.Int("twin-executions", 300, "of each fixed twin")
	trapExecutions = flag.Int("trap-executions", 100, "of each trap")
	loopExecutions = flag.Int("loop-executions", 10, "of each test with loops that work or wait")
	long           = flag.Bool("long", false, "also the tests that take minutes")
)

// takesMinutes skips a test of which the gate runs a third for each commit, by turns (the step test_long of CI), and the
// nightly job all.
func takesMinutes(t *testing.T) {
	t.Helper()
	if !*long {
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
