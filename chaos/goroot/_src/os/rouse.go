package os

import _ "unsafe" // linkname

// rouseRand draws the name of a temporary file: see the runtime.
//
//go:linkname rouseRand
func rouseRand() uint64
