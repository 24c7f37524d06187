package maps

// rouseSeed seeds the hashes of every map, so that iteration does not depend on the process.
const rouseSeed = uintptr(0x5bd1e995)
