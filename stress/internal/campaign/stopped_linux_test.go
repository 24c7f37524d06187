package campaign

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// stopSelf stops this process. The signal is for this thread: one for the process may be taken by another
// thread, and later, when this one has gone on.
func stopSelf() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGSTOP) //nolint:errcheck
}

// TestStoppedChild: a child that stops itself counts as silent, and its end says so.
func TestStoppedChild(t *testing.T) {
	const timeout = 5 * run.TickTime // long enough for a child that is not stopped, also on a busy machine
	report, err := Run(t.Context(), []scenario.Scenario{scripted("stops", verdict.Pass, "pass stops pass")},
		Options{Executions: 3, Out: t.TempDir(), launcher: run.Launcher{Timeout: timeout}})
	if s := report.Scenarios[0]; err != nil || s.Verdict != verdict.Timeout || s.Failure == nil || !strings.Contains(s.Failure.Summary, "since a signal has stopped the process") {
		t.Errorf("%v, %+v", err, s)
	}
}
