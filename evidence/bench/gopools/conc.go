package gopools

import "github.com/sourcegraph/conc/pool"

// concPool hands each job to a goroutine that is ready for it, and waits if there is none.
type concPool struct{ *pool.Pool }

func newConc(workers int) (Pool, error) {
	return concPool{pool.New().WithMaxGoroutines(workers)}, nil
}

func (p concPool) Flood(n int) {
	for range n {
		p.Go(empty)
	}
}
