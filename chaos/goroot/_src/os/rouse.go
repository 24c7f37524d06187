package os

import (
	"syscall"
	_ "unsafe" // linkname
)

// rouseRand draws the name of a temporary file: see the runtime.
//
//go:linkname rouseRand
func rouseRand() uint64

// rouseIsOwn reports whether p is this process. Another goroutine may release it meanwhile.
//
//go:norace
func (p *Process) rouseIsOwn() bool { return p.Pid == syscall.Getpid() }
