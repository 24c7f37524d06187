//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Separate gives the child a process group of its own: a Ctrl-C in the terminal
// reaches only the parent, and processes that the child may have started die with it.
func Separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// Kill ends the child and its whole group. The child may have left the group.
func Kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may be gone
	cmd.Process.Kill()                              //nolint:errcheck // likewise
}

// Interrogate makes a Go process print all its goroutines and exit. Of the running ones the process prints only the
// stack of the thread that gets the signal, so that is the busiest thread if it can be found. A stopped process is
// continued.
func Interrogate(cmd *exec.Cmd) {
	if !signalBusiest(cmd.Process.Pid, syscall.SIGQUIT) {
		syscall.Kill(cmd.Process.Pid, syscall.SIGQUIT) //nolint:errcheck // it may be gone
	}
	syscall.Kill(cmd.Process.Pid, syscall.SIGCONT) //nolint:errcheck // likewise
}

// Signal returns the name of the signal that ended the process, or "".
func Signal(cmd *exec.Cmd) string {
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return s.Signal().String()
	}
	return ""
}
