package gopools

import "github.com/gammazero/workerpool"

type workerPool struct{ *workerpool.WorkerPool }

func newWorkerpool(workers int) (Pool, error) { return workerPool{workerpool.New(workers)}, nil }

func (p workerPool) Go(f func()) { p.Submit(f) }

func (p workerPool) Flood(n int) {
	for range n {
		p.Submit(empty)
	}
}

func (p workerPool) Wait() { p.StopWait() }
