package gopools

import (
	"sync"

	"github.com/panjf2000/ants/v2"
)

// The module starts a pool of its own when it is loaded, which reads the clock twice a
// second for ever. Other contestants must not pay for that.
func init() { ants.Release() }

// antsPool needs a counter of its own: releasing the pool does not wait for jobs.
type antsPool struct {
	*ants.Pool
	jobs sync.WaitGroup
	done func()
}

func newAnts(workers int) (Pool, error) {
	p, err := ants.NewPool(workers)
	a := &antsPool{Pool: p}
	a.done = func() {
		empty()
		a.jobs.Done()
	}
	return a, err
}

func (a *antsPool) Go(f func()) {
	a.start(func() {
		defer a.jobs.Done()
		f()
	})
}

func (a *antsPool) Flood(n int) {
	for range n {
		a.start(a.done)
	}
}

func (a *antsPool) start(job func()) {
	a.jobs.Add(1)
	if err := a.Submit(job); err != nil {
		panic(err) // the pool was closed: no contestant does that
	}
}

func (a *antsPool) Wait() {
	a.jobs.Wait()
	a.Release()
}
