package os

import _ "unsafe" // linkname

// rouseChild is called when a child process has been started, and when it has been waited for: see the
// runtime.
//
//go:linkname rouseChild
func rouseChild(d int)

//go:linkname rouseFetch
func rouseFetch()
