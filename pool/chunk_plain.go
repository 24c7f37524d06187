//go:build !chaos

package pool

// How many jobs one chunk of the injector holds, and one of a queue.
const (
	injectorChunk = 64
	queueChunk    = 64
)
