package gopools

import "sync"

// goroutine is a goroutine for each job.
type goroutine struct{ sync.WaitGroup }

func newGoroutine(int) (Pool, error) { return new(goroutine), nil }

func (g *goroutine) Flood(n int) {
	for range n {
		g.Go(empty)
	}
}
