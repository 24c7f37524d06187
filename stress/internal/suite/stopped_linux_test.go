package suite

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/report"
)

// Catches: a test that stops its process, for which the command waits for ever, in each way to run it.
func TestStopsItself(t *testing.T) {
	for _, native := range []bool{false, true} {
		script := "TestA: stops 3; TestB: passes"
		if native {
			script += " native"
		}
		o := fakes(t, script)
		o.Timeout, o.Native, o.Executions = hangTimeout, native, 10
		r, err := Run(t.Context(), o)
		if err != nil || len(r.Tests) != 2 {
			t.Fatalf("native %t: %v, %+v", native, err, r)
		}
		a, want := r.Tests[0], "no progress for 5s in execution 3, since a signal has stopped the process"
		if native {
			want = "no progress for 5s, since a signal has stopped the process"
		}
		if !strings.Contains(a.Summary, want) || !strings.Contains(a.Report, "fake).explore") || r.Tests[1].Status != report.TestPassed {
			t.Errorf("native %t: %+v, %+v", native, a, r.Tests[1])
		}
	}
}

// Catches: a test that takes all memory of the machine; and one that is taken for such a test because others have
// run in its process.
func TestGrows(t *testing.T) {
	for _, native := range []bool{false, true} {
		script := "TestA: grows 3; TestB: passes"
		if native {
			script += " native"
		}
		o := fakes(t, script)
		o.Native, o.Executions, o.Memory = native, 10, 512<<20
		r, err := Run(t.Context(), o)
		if err != nil || len(r.Tests) != 2 {
			t.Fatalf("native %t: %v, %+v", native, err, r)
		}
		if a := r.Tests[0]; a.Status != report.TestFailed || a.Summary != "the process used more than 512 MiB of memory" || r.Tests[1].Status != report.TestPassed {
			t.Errorf("native %t: %+v, %+v", native, a, r.Tests[1])
		}
	}
}
