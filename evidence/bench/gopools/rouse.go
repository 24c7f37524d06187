package gopools

import (
	"context"
	"runtime"

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
		panic(err) // only a job could cause an error
	}
}

// rouseGroup is a group with a limit, whose jobs block.
type rouseGroup struct {
	rouse
	group *pool.Group
}

func newRouseGroup(inFlight int) (Pool, error) {
	p, err := pool.New(runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	g, _ := p.Group(context.Background())
	g.SetBlocking(true)
	g.SetLimit(inFlight)
	return rouseGroup{rouse{p}, g}, nil
}

func (g rouseGroup) Go(f func()) {
	g.group.Go(func(*pool.Worker) error {
		f()
		return nil
	})
}

func (g rouseGroup) Flood(n int) {
	for range n {
		g.group.Go(emptyGroupJob)
	}
}

func emptyGroupJob(*pool.Worker) error {
	empty()
	return nil
}

func (g rouseGroup) Wait() {
	if err := g.group.Wait(); err != nil {
		panic(err) // no job returns one
	}
	g.rouse.Wait()
}
