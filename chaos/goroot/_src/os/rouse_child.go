package os

import _ "unsafe" // linkname

// rouseStarted is called when a child process has been started, and rouseWaited when it has been waited for: see the
// runtime.
//
//go:linkname rouseStarted
func rouseStarted(pid int, fed bool)

//go:linkname rouseWaited
func rouseWaited(pid int)

// How a task waits for a process with the turn: see the runtime.
//
//go:linkname rouseChildBegin
func rouseChildBegin(pid int)

//go:linkname rouseChildLived
func rouseChildLived(pid int, ns int64) (more bool)

//go:linkname rouseChildEnd
func rouseChildEnd(pid int)
