package gopools

import (
	"sync"

	"github.com/bytedance/gopkg/util/gopool"
)

// goPool needs a counter of its own: gopool's Pool cannot be closed or waited for.
type goPool struct {
	gopool.Pool
	jobs sync.WaitGroup
	done func()
}

func newGopool(workers int) (Pool, error) {
	p := &goPool{Pool: gopool.NewPool("bench", int32(workers), gopool.NewConfig())}
	p.done = func() {
		empty()
		p.jobs.Done()
	}
	return p, nil
}

func (p *goPool) Go(f func()) {
	p.jobs.Add(1)
	p.Pool.Go(func() {
		defer p.jobs.Done()
		f()
	})
}

func (p *goPool) Flood(n int) {
	for range n {
		p.jobs.Add(1)
		p.Pool.Go(p.done)
	}
}

func (p *goPool) Wait() { p.jobs.Wait() }
