//go:build !chaos

package chaos_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/internal/faketest"
)

// Without the tag a replay, or one execution again, cannot be: a test that passed then
// would prove nothing.
func TestReplayNeedsTheTag(t *testing.T) {
	for _, args := range [][]string{
		{"-test.run=^TestExploreRunsOnce$", "-chaos.replay=missing.rouse"},
		{"-test.run=^TestNoSuchTest$", "-chaos.replay=missing.rouse"},
	} {
		out, err := exec.Command(os.Args[0], args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "-chaos.replay: needs a binary built with -tags chaos") {
			t.Errorf("%s: %v: %s", args, err, out)
		}
	}
	for variable, value := range map[string]string{"CHAOS_REPLAY": "missing.rouse", "CHAOS_EXECUTION": "3"} {
		os.Setenv(variable, value)
		r := explore(func(c *chaos.C) {})
		os.Unsetenv(variable)
		if !r.Failed() || !strings.Contains(r.Log, "needs a binary built with -tags chaos") {
			t.Errorf("%s=%s, failed: %v: %s", variable, value, r.Failed(), r.Log)
		}
	}
	if err := flag.Set("chaos.execution", "3"); err != nil {
		t.Fatal(err)
	}
	r := explore(func(c *chaos.C) {})
	if err := flag.Set("chaos.execution", ""); err != nil {
		t.Fatal(err)
	}
	if !r.Failed() || !strings.Contains(r.Log, "-chaos.execution=3 needs a binary built with -tags chaos") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
}

// A regression test by Replay runs its body, but not without its recording.
func TestReplayOfAMissingFile(t *testing.T) {
	r := faketest.New("Test")
	var wg sync.WaitGroup
	wg.Go(func() { chaos.Replay(r, filepath.Join(t.TempDir(), "missing.rouse"), func(c *chaos.C) {}) })
	wg.Wait()
	if !r.Failed() || !strings.Contains(r.Log, "missing.rouse") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
}
