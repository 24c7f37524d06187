package campaign

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// stopSelf stops this process, and writes down which one it is. The signal is for this thread: one for the
// process may be taken by another thread, and later, when this one has gone on.
func stopSelf() {
	os.WriteFile(os.Getenv(pidFile), []byte(strconv.Itoa(os.Getpid())), 0o600) //nolint:errcheck
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGSTOP) //nolint:errcheck
}

// TestStoppedChild: a child that is stopped from outside does not count as silent, however long it takes.
func TestStoppedChild(t *testing.T) {
	const timeout = 5 * run.TickTime // long enough for a child that is not stopped, also on a busy machine
	pids := t.TempDir() + "/pid"
	t.Setenv(pidFile, pids)
	ticks := 0
	watched := &watcher{progressed: func() {
		text, _ := os.ReadFile(pids)
		if pid, err := strconv.Atoi(string(text)); err == nil {
			if ticks++; ticks == 25 { // five times its timeout
				syscall.Kill(pid, syscall.SIGCONT) //nolint:errcheck
			}
		}
	}}
	report, err := Run(t.Context(), []scenario.Scenario{scripted("stops", verdict.Pass, "pass stops pass")},
		Options{Executions: 3, Observers: []report.Observer{watched}, Out: t.TempDir(), launcher: run.Launcher{Timeout: timeout}})
	if s := report.Scenarios[0]; err != nil || s.Verdict != verdict.Pass || s.Executions != 3 || ticks < 25 {
		t.Errorf("%v after %d ticks, %+v", err, ticks, s)
	}
	if d := 5 * timeout; report.Duration < d-time.Second {
		t.Errorf("the child was stopped for %v only, want %v", report.Duration, d)
	}
}
