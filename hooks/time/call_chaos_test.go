//go:build chaos

package time

import "testing"

// A firing so late that it takes the task of the next arming leaves none for that
// one's firing: the function has to run all the same, once for each.
func TestLateFiringLeavesNoRunOut(t *testing.T) {
	runs := 0
	c := &call{f: func() { runs++ }}
	c.arm()
	c.arm() // Reset, while the first firing is on its way
	c.fire()
	if c.armed.Load() != nil {
		t.Error("the firing took no task")
	}
	c.fire()
	if runs != 2 {
		t.Errorf("the function ran %d times, want 2", runs)
	}
}
