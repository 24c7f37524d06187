//go:build chaos

package time

import (
	"testing"

	"github.com/rouse-go/rouse/internal/seam"
)

// A counter is an engine that counts the tasks that begin.
type counter struct {
	seam.Engine // At and Task are all that a call needs
	began       int
}

func (*counter) At(*seam.Point) {}

func (c *counter) Task(f func()) func() {
	return func() {
		c.began++
		f()
	}
}

// A firing so late that it takes the task of the next arming leaves none for that
// one's firing: the function has to run all the same, and as a task.
func TestLateFiringLeavesNoRunOut(t *testing.T) {
	e := new(counter)
	uninstall, ok := seam.Install(e)
	if !ok {
		t.Fatal("another engine is installed")
	}
	defer uninstall()
	runs := 0
	c := &call{f: func() { runs++ }}
	c.arm()
	c.arm() // Reset, while the first firing is on its way
	c.fire()
	if c.armed.Load() != nil {
		t.Error("the firing took no task")
	}
	c.fire()
	if runs != 2 || e.began != 2 {
		t.Errorf("the function ran %d times, in %d tasks; want 2, 2", runs, e.began)
	}
}
