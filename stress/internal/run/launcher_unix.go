//go:build unix

package run

import (
	"os/exec"
	"syscall"
)

// interrogate makes a Go process print all its goroutines and exit.
func interrogate(cmd *exec.Cmd) {
	syscall.Kill(cmd.Process.Pid, syscall.SIGQUIT) //nolint:errcheck // it may be gone
}

// signalled names the signal that ended the process, or "".
func signalled(cmd *exec.Cmd) string {
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return s.Signal().String()
	}
	return ""
}
