//go:build chaos

package memory

// Fence stands between what is above it and what is below it, and passes
// memory/fence. It does nothing else, as Go's atomics need no fence.
func Fence(order Order) {
	fence(order)
	between.At()
}
