// Package self is internal/self of rouse without assembly, which an overlay cannot add to packages.
package self

import _ "unsafe" // linkname

// Known reports whether G distinguishes goroutines on this platform.
const Known = true

// G returns the number of the calling goroutine.
//
//go:linkname G
func G() uintptr
