//go:build !linux

package process

import "os/exec"

// Asleep has no means here to find out.
func Asleep(*exec.Cmd) (schedules string, asleep bool) { return "", false }
