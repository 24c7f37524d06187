package sysrand

import _ "unsafe" // linkname

// rouseRead fills b from the stream of the execution, or of the process in a worker of stress test,
// and reports whether there is one: see the runtime.
//
//go:linkname rouseRead
//go:noescape
func rouseRead(b []byte) bool
