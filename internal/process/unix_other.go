//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// orphans are not known on this system.
type orphans struct{}

var adopted orphans

func (*orphans) begin(*Guard, *exec.Cmd) {}

func (*orphans) end(*exec.Cmd) {}

// targetOf cannot make sure that the target is that process and no later one of the same number.
func targetOf(pid int) Target { return Target{Process: pid} }

// signalBusiest returns false: the threads of a process cannot be inspected on this system.
func signalBusiest(int, syscall.Signal) bool { return false }
