//go:build !linux

package process

import "os/exec"

// Resident returns 0: it is not known on this system.
func Resident(*exec.Cmd) int64 { return 0 }

func machineMemory() int64 { return 0 }
