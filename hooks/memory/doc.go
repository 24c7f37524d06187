// Package memory has the atomic operations with the memory order that an argument
// about the code needs:
//
//	x.Store(v)                memory.StoreUint32(&x, v, memory.Release)
//	x.Load()                  memory.LoadUint32(&x, memory.Acquire)
//	x.CompareAndSwap(a, b)    memory.CompareAndSwapUint32(&x, a, b, memory.AcqRel, memory.Relaxed)
//	atomic_thread_fence       memory.Fence(memory.SeqCst)
//
// Go's atomics are sequentially consistent, all of them: the order changes nothing
// that a Go program does. It is a claim, written down where it can be checked
// and read: that the algorithm needs no more than this here, and would need
// no more in a language where less is cheaper. The words are those of C++ and
// Rust. An algorithm that comes from there keeps its orders and fences, and one
// that is to go there can be asked what it relies on.
//
// The variables are those of hooks/atomic. Their types are aliases of the standard
// ones, which can have no more methods; so these are functions, one for each
// type and operation. (A generic one would not be inlined.)
//
// # Normal build
//
// Each function is inlined to the instructions of the method that it stands for
// (beside them may stand a NOP, which marks the inlined call for tracebacks), the
// order is dropped, and a fence is nothing: no symbol of this package is in the
// binary. (On 32-bit platforms CompareAndSwapBool is a call.)
//
// # Chaos build
//
// With the build tag "chaos" each function passes the point of hooks/atomic for its
// verb (atomic/load, atomic/store ...), and Fence passes memory/fence. All of it is
// still sequentially consistent, unless a what-if is asked for. A fault can only delay
// and yield.
//
// An order that makes no sense for the operation panics, in this build only: a
// load has nothing to release, a store nothing to acquire, and a relaxed fence
// orders nothing.
//
// # What if
//
// Under control (chaos.Explore, chaos/control) the question can be put: would the
// algorithm stand if the orders were all it has? The engine then has a memory as weak
// as declared: with control.TSO, stores wait in a buffer, as on x86; with
// control.Views, a load reads any store that its order does not rule out, much as in
// C++20. What fails there and can't fail in Go has the verdict relies-on-sc, and the
// line of the load or store that did it. An operation without a declared order - a
// method of hooks/atomic - is sequentially consistent there, too.
//
// # Limits
//
// A fence orders atomics only, and these are ordered anyway: it is no edge to the
// race detector, and it does not make plain variables safe to share.
//
// This package imports hooks/atomic, internal/seam and the standard library only.
// Production code may import it; the packages under chaos must not, or an engine
// would observe itself.
package memory
