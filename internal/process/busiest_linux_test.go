package process

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestBusiest: a process that computes has a thread that runs, one that has ended does not.
func TestBusiest(t *testing.T) {
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for !signalBusiest(cmd.Process.Pid, syscall.SIGQUIT) {
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "quit") {
		t.Errorf("got %v", err)
	}
	if signalBusiest(cmd.Process.Pid, syscall.SIGQUIT) {
		t.Error("a process that has ended was signalled")
	}
}
