package stress

import (
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// stopSelf stops this process, and writes down which one it is.
func stopSelf() {
	os.WriteFile(os.Getenv(pidFile), []byte(strconv.Itoa(os.Getpid())), 0o600) //nolint:errcheck
	syscall.Kill(os.Getpid(), syscall.SIGSTOP)                                 //nolint:errcheck
}

// TestStoppedChild: who is stopped from outside is not silent, however long it takes.
func TestStoppedChild(t *testing.T) {
	pids := t.TempDir() + "/pid"
	t.Setenv(pidFile, pids)
	ticks := 0
	watched := &watcher{progressed: func() {
		text, _ := os.ReadFile(pids)
		if pid, err := strconv.Atoi(string(text)); err == nil {
			if ticks++; ticks == 10 { // ten times its timeout
				syscall.Kill(pid, syscall.SIGCONT) //nolint:errcheck
			}
		}
	}}
	report, err := Run(t.Context(), []Scenario{scripted("stops", Pass, "pass stops pass")},
		Options{Executions: 3, Observers: []Observer{watched}, Out: t.TempDir(), launcher: launcher{timeout: tickTime}})
	if s := report.Scenarios[0]; err != nil || s.Verdict != Pass || s.Executions != 3 || ticks < 10 {
		t.Errorf("%v after %d ticks, %+v", err, ticks, s)
	}
	if d := 10 * tickTime; report.Duration < d-time.Second {
		t.Errorf("the child was stopped for %v only, want %v", report.Duration, d)
	}
}
