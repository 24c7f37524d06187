// Package self distinguishes goroutines: G returns a number that no other live
// goroutine has, in about a nanosecond.
//
// The number is the address of the runtime's descriptor of the goroutine, which
// the compiler keeps in a register or in thread-local storage on every
// architecture; one instruction of assembly reads it. Go offers nothing else:
// the id that a stack dump prints costs a microsecond and a parser.
// Descriptors are reused: when a goroutine has ended, another may have its
// number. They do not move, and are never given back.
//
// Where the assembly is missing (a compiler that is not gc, an architecture
// that is not listed) Known is false and G returns 0 for all goroutines.
//
// Only hooks and internal/seam, in the chaos build, the engines under chaos, and pool
// may import it; it imports nothing.
package self
