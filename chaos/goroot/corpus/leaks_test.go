package corpus

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// large matches the tests of programs with hundreds of goroutines, or of collections.
const large = "(DaisyChain|MutexHeap|MutexStack|SpawnGC|Timeout)$"

// Catches: a profile of leaked goroutines that has under control not what Go's own test expects, or something else,
// and a leak that --leaks does not report.
func TestLeakPrograms(t *testing.T) {
	tool := builtTool(t)
	withToolchains(t, func(t *testing.T) {
		env, err := exec.CommandContext(t.Context(), "go", "env", "GOVERSION", "GOEXPERIMENT").Output()
		if err != nil {
			t.Fatal(err)
		}
		if s := string(env); strings.HasPrefix(s, "go1.26") && !strings.Contains(s, "goroutineleakprofile") {
			t.Skip("Go 1.26 has the profile with GOEXPERIMENT=goroutineleakprofile only")
		}
		module := t.TempDir()
		programs, err := LeakPrograms(t.Context(), module)
		if err != nil {
			t.Fatal(err)
		}
		expected := 0
		passes, leaks := map[string]verdict.Verdict{}, map[string]verdict.Verdict{}
		for _, p := range programs {
			expected += len(p.Leaks)
			passes[p.Name] = ""
			if len(p.Leaks)+len(p.May) > 0 {
				leaks[p.Name] = verdict.Leak
			}
		}
		if len(programs) < 22 || expected < 22 {
			t.Errorf("%d programs with %d leaks, want 22 with 22 at least", len(programs), expected)
		}
		for _, prefix := range []string{"TestAll", "TestOnly"} {
			ran := compare(t, tool, module, prefix, passes, "--executions", "20", "--skip", large)
			ran += compare(t, tool, module, prefix, passes, "--executions", "2", "--run", "^"+prefix+".*"+large)
			if ran != len(programs) {
				t.Errorf("%d tests %s... have run, want %d", ran, prefix, len(programs))
			}
		}
		compare(t, tool, module, "TestOnly", leaks, "--leaks", "--executions", "20", "--skip", large)
		t.Logf("%d programs, %d leaks", len(programs), expected)
	})
}

// compare runs the tests of programs whose names begin with prefix, compares the verdicts, and returns how many.
func compare(t *testing.T, tool Tool, module, prefix string, want map[string]verdict.Verdict, args ...string) (ran int) {
	t.Helper()
	r, err := tool.Test(t.Context(), module, t.TempDir(), nil, append([]string{"--seed", "1", "--run", "^" + prefix}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range append(r.Broken, otherGo(r)...) {
		t.Error(problem)
	}
	for _, test := range r.Tests {
		v, ok := want[strings.TrimPrefix(test.Test, prefix)]
		if !ok {
			continue
		}
		ran++
		if passes := test.Status == "ok"; passes != (v == "") || !passes && test.Verdict != v {
			t.Errorf("%s: %s %s, want %q: %s", test.Test, test.Status, test.Verdict, v, test.Summary)
		}
	}
	if ran == 0 {
		t.Errorf("no test %s... has run", prefix)
	}
	return ran
}
