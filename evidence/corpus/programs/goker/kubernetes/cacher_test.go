package kubernetes

import (
	"slices"
	"sync"
	"testing"
)

// A cacher sends events to its watchers, from one goroutine: only it may use blocked, which has the
// watchers to which the current event could not be sent at once.
type cacher struct {
	mu       sync.Mutex
	watchers []chan int
	blocked  []chan int
	incoming chan int
	loop     sync.WaitGroup
}

func newCacher(watchers int) *cacher {
	c := &cacher{incoming: make(chan int, 10)}
	for range watchers {
		c.watchers = append(c.watchers, make(chan int, 10))
	}
	c.loop.Go(func() {
		for event := range c.incoming {
			c.dispatch(event)
		}
	})
	return c
}

func (c *cacher) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.blocked = c.blocked[:0]
	c.blocked = append(c.blocked, c.watchers...)
}

func (c *cacher) dispatch(event int) {
	c.begin()
	for _, w := range c.blocked { // without the lock
		w <- event
	}
}

// remove is called by a watcher that stops.
func (c *cacher) remove(w chan int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watchers = slices.DeleteFunc(slices.Clone(c.watchers), func(o chan int) bool { return o == w })
}

func (c *cacher) close() {
	close(c.incoming)
	c.loop.Wait()
}

func kubernetes77796(send func(c *cacher, event int)) {
	c := newCacher(1)
	c.incoming <- 1
	send(c, 2)
	c.close()
}

// Beside the loop of the cacher.
func TestKubernetes77796(*testing.T) { kubernetes77796((*cacher).dispatch) }

func TestKubernetes77796Fixed(*testing.T) {
	kubernetes77796(func(c *cacher, event int) { c.incoming <- event })
}

// kubernetes89164 sends bookmarks while watchers stop.
func kubernetes89164(send func(c *cacher, event int)) {
	c := newCacher(3)
	var others sync.WaitGroup
	for i := range 2 {
		others.Go(func() { send(c, i) })
	}
	for _, w := range c.watchers[1:] {
		others.Go(func() { c.remove(w) })
	}
	others.Wait()
	c.close()
}

func TestKubernetes89164(*testing.T) { kubernetes89164((*cacher).dispatch) }

func TestKubernetes89164Fixed(*testing.T) {
	kubernetes89164(func(c *cacher, event int) { c.incoming <- event })
}
