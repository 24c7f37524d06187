package cs

import (
	"sync"
	"testing"
)

// A class of operations excludes the other class: its first operation takes the resource, its last
// one gives it back.
type class struct {
	counting *sync.Mutex
	resource *sync.Mutex
	active   int
}

func (c *class) operate() {
	c.counting.Lock()
	if c.active++; c.active == 1 {
		c.resource.Lock()
	}
	c.counting.Unlock()

	c.counting.Lock()
	if c.active--; c.active == 0 {
		c.resource.Unlock()
	}
	c.counting.Unlock()
}

// TestCarter01 counts both classes under one mutex: an operation waits for the resource with that
// mutex locked, which the holder of the resource needs in order to give it back.
func TestCarter01(t *testing.T) {
	var counting, resource sync.Mutex
	a, b := class{counting: &counting, resource: &resource}, class{counting: &counting, resource: &resource}
	together(a.operate, b.operate)
}

func TestCarter01Fixed(t *testing.T) {
	var resource sync.Mutex
	a, b := class{counting: new(sync.Mutex), resource: &resource}, class{counting: new(sync.Mutex), resource: &resource}
	together(a.operate, b.operate)
}
