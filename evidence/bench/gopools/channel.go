package gopools

import "sync"

// channelRoom is the capacity of the queue.
const channelRoom = 1024

// A channel is the pool of most programs that need one: a buffered channel, and workers
// that range over it.
type channel struct {
	jobs    chan func()
	workers sync.WaitGroup
}

func newChannel(workers int) (Pool, error) {
	c := &channel{jobs: make(chan func(), channelRoom)}
	for range workers {
		c.workers.Go(func() {
			for job := range c.jobs {
				job()
			}
		})
	}
	return c, nil
}

func (c *channel) Go(f func()) { c.jobs <- f }

func (c *channel) Flood(n int) {
	for range n {
		c.jobs <- empty
	}
}

func (c *channel) Wait() {
	close(c.jobs)
	c.workers.Wait()
}
