package maps

import _ "unsafe" // linkname

// rouseSeed seeds the hashes of a map: see the runtime.
//
//go:linkname rouseSeed
func rouseSeed() uint64

// rouseHashKey seeds the hash functions, which have been here since Go 1.27: see the runtime.
//
//go:linkname rouseHashKey
func rouseHashKey(i int) uint64
