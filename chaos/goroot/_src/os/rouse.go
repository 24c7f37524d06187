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

// rouseExit ends the execution if a task calls it: see the runtime.
//
//go:linkname rouseExit
func rouseExit(code int)

// rouseLack notes what a test asks for and cannot have: see the runtime.
//
//go:linkname rouseLack testing.rouseLack
func rouseLack(what string)

// rouseReadsID is called when a test reads the number of a process: see the runtime.
//
//go:linkname rouseReadsID
func rouseReadsID()
