package remote

import (
	"os/exec"
	"testing"
)

// TestImportAddsNoFlags: the command line of a service is its own, in both builds.
func TestImportAddsNoFlags(t *testing.T) {
	for _, tags := range []string{"", "chaos"} {
		out, err := exec.Command("go", "run", "-tags", tags, "./testdata/flags").CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("-tags %q: %v, and it has the flags\n%s", tags, err, out)
		}
	}
}
