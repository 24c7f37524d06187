//go:build !unix

package process

import "os/exec"

// Separate does nothing on this system.
func Separate(*exec.Cmd) {}

// Kill ends the child alone.
func Kill(cmd *exec.Cmd) { cmd.Process.Kill() } //nolint:errcheck // it may be gone

// Interrogate cannot make the child print its goroutines on this system.
func Interrogate(*exec.Cmd) {}

// Signal returns "": no signal ends a process on this system.
func Signal(*exec.Cmd) string { return "" }
