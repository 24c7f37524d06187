package maps

import _ "unsafe" // linkname

// rouseSeed seeds the hashes of a map: see the runtime.
//
//go:linkname rouseSeed
func rouseSeed() uint64
