package os

import _ "unsafe" // linkname

// rouseLack notes what a test asks for and cannot have: see the runtime.
//
//go:linkname rouseLack testing.rouseLack
func rouseLack(what string)

// rouseReadsID is called when a test reads the number of a process: see the runtime.
//
//go:linkname rouseReadsID
func rouseReadsID()
