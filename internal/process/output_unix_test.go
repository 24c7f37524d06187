//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCombinedOutput(t *testing.T) {
	out, err := CombinedOutput(Command(t.Context(), "sh", "-c", "echo one; echo two >&2; exit 3"))
	var exit *exec.ExitError
	if string(out) != "one\ntwo\n" || !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("%q, %v", out, err)
	}
}

// TestGroupIsEnded: with its context a command ends, and what it has started, which holds its
// output open.
func TestGroupIsEnded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error)
	go func() {
		_, err := CombinedOutput(Command(ctx, "sh", "-c", `sleep 1000 & echo $! >"$0"; wait`, file))
		ended <- err
	}()
	text, err := os.ReadFile(file) // when it has been written
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if syscall.Kill(pid, 0) == nil && !zombie(pid) {
		t.Errorf("process %d lives on", pid)
	}
}

// zombie reports whether a process has ended that no process has waited for: its new parent will.
func zombie(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}
