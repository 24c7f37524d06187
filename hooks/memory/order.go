package memory

import (
	"strconv"

	"github.com/rouse-go/rouse/internal/seam"
)

// An Order is how an atomic operation is ordered with others, as in C++ and Rust.
type Order uint8

// The orders. What is above an operation is what the same goroutine does before it.
const (
	Relaxed = Order(seam.Relaxed) // atomic, and nothing more
	Acquire = Order(seam.Acquire) // a load: what is below it sees what was above the store that it reads from
	Release = Order(seam.Release) // a store: what is above it is seen below the load that reads from it
	AcqRel  = Order(seam.AcqRel)  // both, in an operation that loads and stores, or a fence
	SeqCst  = Order(seam.SeqCst)  // what of these the operation can be, and one order of all such operations that all goroutines agree on
)

// String returns the name of the constant.
func (o Order) String() string {
	switch o {
	case Relaxed:
		return "Relaxed"
	case Acquire:
		return "Acquire"
	case Release:
		return "Release"
	case AcqRel:
		return "AcqRel"
	case SeqCst:
		return "SeqCst"
	}
	return "Order(" + strconv.Itoa(int(o)) + ")"
}
