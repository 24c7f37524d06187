//go:build !linux

package process

import "os/exec"

// ByStop is not used on this system.
const ByStop = ""

// Stopped cannot find out on this system.
func Stopped(*exec.Cmd) bool { return false }
