package gopools

import (
	"context"

	"github.com/rouse-go/rouse/pool"
)

type rouse struct{ *pool.Pool }

func newRouse(workers int) (Pool, error) {
	p, err := pool.New(workers)
	return rouse{p}, err
}

func (p rouse) Go(f func()) { p.start(func(*pool.Worker) { f() }) }

func (p rouse) Flood(n int) {
	for range n {
		p.start(emptyJob)
	}
}

func emptyJob(*pool.Worker) { empty() }

func (p rouse) start(job func(*pool.Worker)) {
	if err := p.Pool.Go(job); err != nil {
		panic(err) // the pool was closed: no contestant does that
	}
}

func (p rouse) Wait() {
	if err := p.Close(context.Background()); err != nil {
		panic(err) // only a job could make it fail
	}
}
