//go:build !linux

package process

import "os/exec"

// Asleep cannot find out on this system.
func Asleep(*exec.Cmd) (schedules string, asleep bool) { return "", false }

// ByStop is not used on this system.
const ByStop = ""

// Stopped cannot find out on this system.
func Stopped(*exec.Cmd) bool { return false }

// endWithParent does nothing on this system.
func endWithParent(*exec.Cmd) {}

// Resident returns 0: it is not known on this system.
func Resident(*exec.Cmd) int64 { return 0 }

func machineMemory() int64 { return 0 }

// Strays is empty: strays are not known on this system.
type Strays struct{}

// Look finds none.
func (*Strays) Look(int) []Target { return nil }

// Kill ends none.
func (*Strays) Kill() []Target { return nil }
