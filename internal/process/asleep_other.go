//go:build !linux

package process

import "os/exec"

// Asleep cannot find out on this system.
func Asleep(*exec.Cmd) (schedules string, asleep bool) { return "", false }
