//go:build !unix

package stress

import "os/exec"

func separate(*exec.Cmd) {}

// interrogate has no means here to make the child print its goroutines.
func interrogate(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { cmd.Process.Kill() } //nolint:errcheck // it may be gone

func signalled(*exec.Cmd) string { return "" }
