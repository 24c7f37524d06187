//go:build chaos && unix

package remote

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A plan is in a regular file: a pipe's writer is not waited for.
func TestPlanInPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(planEnv, pipe)
	if err := New().ArmEnv(); err == nil || !strings.HasSuffix(err.Error(), ": found a pipe, want a regular file") {
		t.Error(err)
	}
}
