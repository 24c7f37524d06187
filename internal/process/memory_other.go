//go:build !linux

package process

import "os/exec"

// Resident is not known here.
func Resident(*exec.Cmd) int64 { return 0 }

func machineMemory() int64 { return 0 }
