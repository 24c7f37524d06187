// Package atomic is a drop-in for the standard package [sync/atomic] with a hook point before
// every operation: change the import path, and a test can delay the goroutine, or let others
// overtake it, at every load, store, swap, compare-and-swap, add, and, or.
//
// # Normal build
//
// Types are aliases of the standard ones and functions are inlined calls of them: same machine
// code, same types, no symbol of this package in the binary.
//
// # Chaos build
//
// With the build tag "chaos" the types have the memory layout of the standard ones: zero values
// are ready to use, Int64 and Uint64 keep their alignment, and go vet reports copies. Each
// operation passes the point of its verb (atomic/load, atomic/store, atomic/swap, atomic/cas,
// atomic/add, atomic/and, atomic/or) and then is the standard operation, so that the race
// detector sees its edges, and no others. (Under a weak memory it may read an old value, or
// write to a buffer: see hooks/memory.) Without an engine a point costs one atomic load, and an
// operation that may write one more.
//
// No operation fails because of a fault: CompareAndSwap is strong in Go, and a spurious failure
// would break correct code. Where an algorithm has a retry worth forcing, declare a point and
// use hooks.Fail.
//
// # Limits
//
// In the chaos build the types are not those of the standard library: a value that is passed to
// other code by its type has to stay the standard one. The functions of this package and of
// sync/atomic may be mixed on one address. A point identifies the verb that runs, not its
// variable.
//
// This package imports internal/seam and the standard library. The packages under chaos must
// not import it: an engine would observe itself.
package atomic
