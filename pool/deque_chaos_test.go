//go:build chaos

package pool

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// TestDequeLooksEmptyOnlyIfItWas: a deque that holds a job all the time is never seen without one, also if
// another job is pushed and one is stolen during the look.
func TestDequeLooksEmptyOnlyIfItWas(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		var d deque
		d.init(2)
		d.push(newNumbered(0))
		var over sync.WaitGroup
		over.Add(2)
		go hooks.Task(func() { // the owner
			defer over.Done()
			d.push(newNumbered(1))
			go hooks.Task(func() { // a thief of one of the two
				defer over.Done()
				if j, _ := d.steal(); j == nil {
					c.Errorf("nothing was stolen")
				}
			})()
		})()
		if n := d.len(); n == 0 {
			c.Errorf("a deque that has held 1 or 2 jobs seems to be empty")
		}
		over.Wait()
	}, chaos.WithExecutions(300))
}
