package chaos_test

import (
	"flag"
	"os/exec"
	"testing"
)

// TestFlagsAreOfTests: a test binary has them, a program that imports the package has not,
// in both builds.
func TestFlagsAreOfTests(t *testing.T) {
	for _, name := range []string{"executions", "seed", "strategy", "memory", "replay", "execution", "clock"} {
		if flag.Lookup("chaos."+name) == nil {
			t.Errorf("the test binary has no flag -chaos.%s", name)
		}
	}
	for _, tags := range []string{"", "chaos"} {
		out, err := exec.Command("go", "run", "-tags", tags, "./testdata/flags").CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("-tags %q: %v, and it has the flags\n%s", tags, err, out)
		}
	}
}
