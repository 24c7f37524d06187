package seam_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// In the compiler's listing a function begins with its symbol; a variable of the package that it
// reads is a relocation.
var (
	begins   = regexp.MustCompile(`^github\.com/rouse-go/rouse/internal/seam\.(\S+) STEXT`)
	variable = regexp.MustCompile(`^\trel \S+ t=R_PCREL github\.com/rouse-go/rouse/internal/seam\.(\w+)\+`)
	calls    = regexp.MustCompile(`^\trel \S+ t=R_CALL github\.com/rouse-go/rouse/internal/seam\.(\S+)\+`)
)

// Catches: a point that reads more than one shared word while no engine is installed, which the
// documentation of package hooks and of its drop-ins promises.
func TestPointCostsOneLoad(t *testing.T) {
	command := exec.Command("go", "build", "-tags", "chaos", "-gcflags=-S", ".")
	command.Env = append(command.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	listing, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	loads, called := map[string]int{}, map[string][]string{}
	function := ""
	for line := range strings.Lines(string(listing)) {
		if m := begins.FindStringSubmatch(line); m != nil {
			function = m[1]
			loads[function] += 0
		} else if m := variable.FindStringSubmatch(line); m != nil {
			loads[function]++
		} else if m := calls.FindStringSubmatch(line); m != nil {
			called[function] = append(called[function], m[1])
		}
	}
	var count func(function string) int
	count = func(function string) int {
		n := loads[function]
		for _, f := range called[function] {
			n += count(f)
		}
		return n
	}
	for _, f := range []string{"(*Point).At", "(*Point).Notify", "(*Point).Fail", "(*Point).Value", "Controlled", "Installed"} {
		if _, compiled := loads[f]; !compiled || count(f) != 1 {
			t.Errorf("%s reads %d variables of the package, want 1", f, count(f))
		}
	}
}
