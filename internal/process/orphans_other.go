//go:build unix && !linux

package process

import "os/exec"

// orphans are not known here.
type orphans struct{}

var adopted orphans

func (*orphans) begin(*Guard, *exec.Cmd) {}

func (*orphans) end(*exec.Cmd) {}

// targetOf has no means to kill that process and no other one.
func targetOf(pid int) Target { return Target{Process: pid} }
