//go:build !linux

package process

import "os/exec"

// ByStop is not used here.
const ByStop = ""

// Stopped has no means here to find out.
func Stopped(*exec.Cmd) bool { return false }
