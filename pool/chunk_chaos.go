//go:build chaos

package pool

// How many jobs one chunk of the injector holds, and one of a queue: so few that a handful of jobs
// goes from chunk to chunk, and back to one that has been emptied.
const (
	injectorChunk = 2
	queueChunk    = 2
)
