// Package atomic is a drop-in for the standard package [sync/atomic] with a hook
// point before every operation: change the import path, and every load, store,
// swap, compare-and-swap, add, and, or becomes a place where a test can delay the
// goroutine or let others overtake it.
//
// # Normal build
//
// Types are aliases of the standard ones and functions are inlined calls of
// them: same machine code, same types, no symbol of this package in the binary.
//
// # Chaos build
//
// With the build tag "chaos" the types are defined anew, on the memory layout of
// the standard ones: zero values are ready to use, Int64 and Uint64 keep their
// 64-bit alignment, and go vet reports copies as before. Each operation passes
// one point, named for its verb whatever the type (atomic/load, atomic/store,
// atomic/swap, atomic/cas, atomic/add, atomic/and, atomic/or), and then is the
// standard operation. The standard operation always runs, so the race detector
// sees its edges, and no others. With no engine installed a point costs one
// atomic load, and an operation that may write one more. (Where an engine is asked what if the memory were weaker, it may be the
// standard operation on another variable: on an old value, or on a store buffer. See
// hooks/memory.)
//
// No operation ever fails or repeats because of a fault. In particular
// CompareAndSwap is strong in Go, so that a spurious failure would convict
// correct code; declare a point of your own and use hooks.Fail where the
// algorithm has a retry worth forcing.
//
// # Limits
//
// In the chaos build *Int64 is not *atomic.Int64 of the standard library, nor is
// any other type: where both builds must compile, a value that is passed to
// foreign code by its atomic type has to stay the standard one. A mix of the
// functions of this package with those of sync/atomic on one address is fine.
// Points tell plans which verb runs, not on which variable.
//
// This package imports hooks and the standard library only. Production code may
// import it; the packages under chaos must not, or an engine would observe
// itself.
package atomic
