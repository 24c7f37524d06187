package corpus

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// otherGo is what is wrong if the environment asks for another toolchain than the one that was used.
func otherGo(r *Results) []string {
	if want := os.Getenv("GOTOOLCHAIN"); strings.HasPrefix(want, "go1.") && r.Go != want {
		return []string{fmt.Sprintf("the tests ran with %s, want %s", r.Go, want)}
	}
	return nil
}

// Traps runs stress test on packages of the module of traps, with those executions of each test and further flags. It returns
// what differs from what the names say: a test named TestFound... fails, one named TestFoundNoRace... without a race in its
// report, one named TestRace... fails under the race detector, one named TestUncontrolled... is uncontrolled, one named
// TestChild... or TestOutside... passes or does not repeat, and all others pass.
func (t Tool) Traps(ctx context.Context, module, out string, executions int, args ...string) (problems []string, err error) {
	race := slices.Contains(args, "--race")
	r, err := t.Test(ctx, module, out, nil, append([]string{"--seed", "1", "--executions", fmt.Sprint(executions)}, args...)...)
	if err != nil {
		return nil, err
	}
	problems = append(r.Broken, otherGo(r)...)
	for _, test := range r.Tests {
		racy := strings.HasPrefix(test.Test, "TestRace")
		if strings.HasPrefix(test.Test, "TestFoundNoRace") && strings.Contains(test.Report, "DATA RACE") {
			problems = append(problems, fmt.Sprintf("%s %s: want no race in its report\n%s", test.Package, test.Test, test.Report))
		}
		switch {
		case strings.HasPrefix(test.Test, "TestFound") || racy && race:
			if !test.Failed() || racy && test.Verdict != verdict.DataRace {
				problems = append(problems, fmt.Sprintf("%s %s: %s %s, want it to fail", test.Package, test.Test, test.Status, test.Verdict))
			}
		case strings.HasPrefix(test.Test, "TestUncontrolled"):
			if test.Status != "uncontrolled" {
				problems = append(problems, fmt.Sprintf("%s %s: %s, want it to be uncontrolled", test.Package, test.Test, test.Status))
			}
		case (strings.HasPrefix(test.Test, "TestChild") || strings.HasPrefix(test.Test, "TestOutside")) && strings.Contains(test.Summary, "another way"):
		case test.Status != "ok":
			problems = append(problems, fmt.Sprintf("%s %s: %s %s: %s\n%s%q", test.Package, test.Test, test.Status, test.Verdict, test.Summary, test.Report, test.Notes))
		}
	}
	if len(r.Tests) == 0 {
		problems = append(problems, "no test has run")
	}
	return problems, nil
}
