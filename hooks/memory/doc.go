// Package memory has the atomic operations with the memory order that an algorithm needs:
//
//	x.Store(v)                memory.StoreUint32(&x, v, memory.Release)
//	x.Load()                  memory.LoadUint32(&x, memory.Acquire)
//	x.CompareAndSwap(a, b)    memory.CompareAndSwapUint32(&x, a, b, memory.AcqRel, memory.Relaxed)
//	atomic_thread_fence       memory.Fence(memory.SeqCst)
//
// All of Go's atomics are sequentially consistent: the order changes nothing in a Go program. It
// is a claim that can be read and checked: that the algorithm needs no more than this here, also
// in a language where less is cheaper. The words are those of C++ and Rust. An algorithm that
// comes from there keeps its orders and fences.
//
// The variables are those of hooks/atomic, whose types are aliases and can have no more methods;
// so these are functions, one for each type and operation. (A generic one would not be inlined.)
//
// # Normal build
//
// Each function is inlined to the instructions of the method that it replaces, possibly with a
// NOP, which marks the inlined call for tracebacks. The order is dropped, a fence is nothing, and
// no symbol of this package is in the binary. (On 32-bit platforms CompareAndSwapBool is a call.)
//
// # Chaos build
//
// With the build tag "chaos" each function passes the point of hooks/atomic for its verb, and
// Fence passes memory/fence. Faults can only delay and yield. An order that makes no sense for
// the operation panics, in this build only: a load has nothing to release, a store nothing to
// acquire, and a relaxed fence orders nothing.
//
// Under chaos.Explore and chaos/control a test can ask whether the algorithm works with no more
// than the declared orders: with control.TSO, stores wait in a buffer, as on x86; with
// control.Views, a load reads any store that its order does not rule out, much as in C++20. What
// fails only there has the verdict relies-on-sc, with the line of the load or store. A method of
// hooks/atomic is sequentially consistent there, too.
//
// # Limits
//
// A fence orders atomics only, which are ordered anyway: it is no edge for the race detector,
// and it does not make plain variables safe to share.
//
// This package imports hooks/atomic, internal/seam and the standard library. The packages under
// chaos must not import it: an engine would observe itself.
package memory
