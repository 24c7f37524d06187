package gopools

import "github.com/sourcegraph/conc/pool"

// concPool hands each job to an idle goroutine, and waits for one if necessary.
type concPool struct{ *pool.Pool }

func newConc(workers int) (Pool, error) {
	return concPool{pool.New().WithMaxGoroutines(workers)}, nil
}

func (p concPool) Flood(n int) {
	for range n {
		p.Go(empty)
	}
}
