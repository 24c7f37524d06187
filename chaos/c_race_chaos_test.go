//go:build chaos && race

package chaos_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
)

// Logging and failing order no tasks for the race detector: a child process, which runs
// this test again, has a race between tasks that log before and after it.
func TestLoggingHidesNoRace(t *testing.T) {
	const planted = "ROUSE_TEST_PLANTED"
	if os.Getenv(planted) != "" {
		chaos.Explore(t, func(c *chaos.C) {
			x := 0
			for range 2 {
				c.Go(func() {
					c.Helper()
					c.Logf("before")
					x++
					c.Logf("after: %v", c.Failed())
				})
			}
		}, chaos.WithDir(t.TempDir()), chaos.WithExecutions(100))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestLoggingHidesNoRace$")
	cmd.Env = append(os.Environ(), planted+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "DATA RACE") || !strings.Contains(string(out), "at c_race_chaos_test.go:24: before\n") || !strings.Contains(string(out), "data-race in execution") {
		t.Errorf("%v: no data race is reported:\n%s", err, out)
	}
}
