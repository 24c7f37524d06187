//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Separate gives the child a process group of its own: a Ctrl-C in the terminal
// reaches the parent alone, and what the child may have started dies with it.
func Separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// Kill ends the child and all of its group, which the child may have left.
func Kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may be gone
	cmd.Process.Kill()                              //nolint:errcheck // likewise
}

// Interrogate makes a Go process print all its goroutines and exit. Of those that run it prints the stack
// of one only, that of the thread with the signal: so that is the busiest one, where it can be found. A process
// that is stopped goes on to do that.
func Interrogate(cmd *exec.Cmd) {
	if !signalBusiest(cmd.Process.Pid, syscall.SIGQUIT) {
		syscall.Kill(cmd.Process.Pid, syscall.SIGQUIT) //nolint:errcheck // it may be gone
	}
	syscall.Kill(cmd.Process.Pid, syscall.SIGCONT) //nolint:errcheck // likewise
}

// Signal names the signal that ended the process, or "".
func Signal(cmd *exec.Cmd) string {
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return s.Signal().String()
	}
	return ""
}
