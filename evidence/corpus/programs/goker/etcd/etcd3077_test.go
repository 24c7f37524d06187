package etcd

import "testing"

// A consensus loop runs until halt is sent, and then closes ended.
type consensus struct{ halt, ended chan struct{} }

func (c *consensus) open() { c.halt, c.ended = make(chan struct{}), make(chan struct{}) }

func (c *consensus) loop(open bool) {
	if open { // in the goroutine of the loop: the server may read the fields first
		c.open()
	}
	defer close(c.ended)
	<-c.halt
}

func (c *consensus) stop() {
	c.halt <- struct{}{}
	<-c.ended
}

func TestEtcd3077(*testing.T) {
	c := new(consensus)
	go c.loop(true)
	c.stop()
}

func TestEtcd3077Fixed(*testing.T) {
	c := new(consensus)
	c.open()
	go c.loop(false)
	c.stop()
}
