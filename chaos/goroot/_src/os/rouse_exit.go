package os

import _ "unsafe" // linkname

// rouseExit ends the execution if a task calls it: see the runtime.
//
//go:linkname rouseExit
func rouseExit(code int)
