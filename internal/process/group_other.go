//go:build !unix

package process

import "os/exec"

// Separate has no means here.
func Separate(*exec.Cmd) {}

// Kill ends the child alone.
func Kill(cmd *exec.Cmd) { cmd.Process.Kill() } //nolint:errcheck // it may be gone

// Interrogate has no means here to make the child print its goroutines.
func Interrogate(*exec.Cmd) {}

// Signal is "" here: no signal ends a process.
func Signal(*exec.Cmd) string { return "" }
