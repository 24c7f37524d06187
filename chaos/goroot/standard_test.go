package goroot

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// standardVariable is set for the step std_tests of CI: own tests of all packages that the overlay patches are to
// pass under it, some 4 minutes of processor time for each Go. Otherwise few are run.
const standardVariable = "ROUSE_STD"

// fewOfStd and allOfStd are the arguments of calls of go test.
var (
	fewOfStd = []string{"context internal/sync testing/synctest"}
	allOfStd = []string{
		"sync sync/atomic internal/sync internal/synctest time context testing/synctest testing os/signal unique weak math/rand/v2 hash/maphash crypto/rand",
		"-run Chan|Select|Sema|Timer|Sleep|Panic|Finaliz|Cleanup|Weak|Map|NumGoroutine|Stack|GC runtime",
	}
)

// Catches: a patch that changes what a package does while no execution runs.
func TestStandardLibrary(t *testing.T) {
	cache := t.TempDir()
	calls := fewOfStd
	if os.Getenv(standardVariable) != "" {
		calls = allOfStd
	}
	for _, toolchain := range append(strings.Fields(os.Getenv(toolchainsVariable)), "local") {
		t.Run(toolchain, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", toolchain)
			made := mustMake(t, Options{Cache: cache})
			for _, args := range calls {
				cmd := exec.Command(made.Go, slices.Concat([]string{"test", "-vet=off", "-short"}, made.Flags, strings.Fields(args))...)
				cmd.Env = append(append(os.Environ(), made.Env...), "GOFLAGS=")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Errorf("%q: %v\n%s", cmd.Args, err, out)
				}
				t.Logf("%s\n%s", made.GoVersion, out)
			}
			if made.GoVersion != toolchain && toolchain != "local" {
				t.Errorf("the overlay is for %s", made.GoVersion)
			}
		})
	}
}
