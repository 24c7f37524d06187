package goroot

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// standardVariable names, for the step std_tests of CI, packages of the standard library whose own
// tests are to pass under the overlay: sync, time ... And their flags.
const standardVariable = "ROUSE_STD"

// Catches: a patch that changes what a package does while no execution runs.
func TestStandardLibrary(t *testing.T) {
	cache := t.TempDir()
	args := strings.Fields(os.Getenv(standardVariable))
	if len(args) == 0 {
		args = []string{"context", "internal/sync", "testing/synctest"}
	}
	for _, toolchain := range append(strings.Fields(os.Getenv(toolchainsVariable)), "local") {
		t.Run(toolchain, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", toolchain)
			made := mustMake(t, Options{Cache: cache})
			cmd := exec.Command(made.Go, slices.Concat([]string{"test", "-vet=off", "-short"}, made.Flags, args)...)
			cmd.Env = append(append(os.Environ(), made.Env...), "GOFLAGS=")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%q: %v\n%s", cmd.Args, err, out)
			}
			if made.GoVersion != toolchain && toolchain != "local" {
				t.Errorf("the overlay is for %s", made.GoVersion)
			}
			t.Logf("%s\n%s", made.GoVersion, out)
		})
	}
}
