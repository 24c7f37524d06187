//go:build chaos

package time

import (
	"sync/atomic"

	"github.com/rouse-go/rouse/hooks"
)

// A call is what a timer of AfterFunc runs, and runs again after each Reset, and
// even twice at once when a Reset comes after the firing. An engine's task runs
// once. So each arming makes a task, in the goroutine that arms, where the number
// of the task follows program order; and each firing takes one.
type call struct {
	f     func()
	armed atomic.Pointer[func()] // the task of the last arming; nil when taken
}

// arm makes the next firing's task. If the last one has not been taken, it never
// will be: its firing is the one that Reset is about to call off.
//
// The store is before the runtime's own release of the timer, and the runtime's
// acquire before the swap: the pointer orders an arming before a firing, as the
// runtime does. Of two firings it orders the beginnings, where neither has run
// anything yet.
func (c *call) arm() {
	task := hooks.Task(c.run)
	c.armed.Store(&task)
}

// fire runs one task. It finds none if the firing before it was so late that it
// took the task of this one's arming; then it has to make one itself.
func (c *call) fire() {
	if task := c.armed.Swap(nil); task != nil {
		(*task)()
		return
	}
	hooks.Task(c.run)()
}

func (c *call) run() {
	timerFire.At()
	c.f()
}
