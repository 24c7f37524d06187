package gopools

import "github.com/alitto/pond/v2"

type pondPool struct{ pond.Pool }

func newPond(workers int) (Pool, error) { return pondPool{pond.NewPool(workers)}, nil }

func (p pondPool) Go(f func()) {
	if err := p.Pool.Go(f); err != nil {
		panic(err) // the pool was stopped: no contestant does that
	}
}

func (p pondPool) Flood(n int) {
	for range n {
		p.Go(empty)
	}
}

func (p pondPool) Wait() { p.StopAndWait() }
