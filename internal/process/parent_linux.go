package process

import (
	"os/exec"
	"syscall"
)

func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
