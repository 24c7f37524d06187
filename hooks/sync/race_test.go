//go:build race

package sync_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The race detector has to see what the standard operations order, and nothing
// that the drop-ins add. Planted races fail the whole binary that has them, so
// each runs in a process of its own. Only where this test is built with -race is
// it sure that another program can be.
func TestDropInsHideNoRace(t *testing.T) {
	t.Setenv("GORACE", "atexit_sleep_ms=0") // a second for each process, else
	for _, tag := range builds {
		exe := filepath.Join(t.TempDir(), "races.exe")
		if out, err := goTool(t, "build", "-race", "-tags", tag, "-o", exe, "./testdata/races"); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
		if out, err := exec.Command(exe, "ordered").CombinedOutput(); err != nil {
			t.Errorf("%s build: the writes under one mutex: %v\n%s", tag, err, out)
		}
		list, err := exec.Command(exe, "list").Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(string(list)) {
			out, err := exec.Command(exe, name).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || !strings.Contains(string(out), "WARNING: DATA RACE") {
				t.Errorf("%s build, %s: the race was not reported: %v\n%s", tag, name, err, out)
			}
		}
	}
}
