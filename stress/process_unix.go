//go:build unix

package stress

import (
	"os/exec"
	"syscall"
)

// separate gives the child a process group of its own: a Ctrl-C in the terminal
// reaches the parent alone, and what the child may have started dies with it.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// interrogate makes a Go process print all its goroutines and exit.
func interrogate(cmd *exec.Cmd) {
	syscall.Kill(cmd.Process.Pid, syscall.SIGQUIT) //nolint:errcheck // it may be gone
}

// kill ends the child and all of its group.
func kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may be gone
}

// signalled names the signal that ended the process, or "".
func signalled(cmd *exec.Cmd) string {
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return s.Signal().String()
	}
	return ""
}
