package os

import _ "unsafe" // linkname

// rouseChild is called when a child process has been started, and when it has been waited for: see the
// runtime.
//
//go:linkname rouseChild
func rouseChild(d int)

// How a task waits for a process with the turn: see the runtime.
//
//go:linkname rouseChildBegin
func rouseChildBegin()

//go:linkname rouseChildLived
func rouseChildLived(ns int64) (more bool)

//go:linkname rouseChildEnd
func rouseChildEnd()
