//go:build chaos

package memory

import "github.com/rouse-go/rouse/internal/seam"

// Fence orders what is above it before what is below it, and passes
// memory/fence. It does nothing else, as Go's atomics need no fence, unless the
// engine's memory is weak.
func Fence(order Order) {
	fence(order)
	seam.Fence(between, seam.Order(order))
}
