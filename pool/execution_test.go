package pool

import (
	"testing"

	"github.com/rouse-go/rouse/internal/self"
)

// TestExecutions: what is known of goroutines in one execution of stress test does not hold in the next.
func TestExecutions(t *testing.T) {
	if !self.Known {
		return // nothing is detected here
	}
	saved, now := execution, uint64(1)
	execution = func() uint64 { return now }
	defer func() { execution = saved }()

	w := new(Worker)
	unbind := w.bind()
	defer unbind()
	g := new(Group)
	g.last.Store(w)
	if on, _ := caller(); on != w || g.caller() != w {
		t.Errorf("in the execution that bound it the worker is %p, want %p", on, w)
	}
	now = 2
	if on, _ := caller(); on != nil || g.caller() != nil {
		t.Errorf("in the next execution it is still %p", on)
	}
}
