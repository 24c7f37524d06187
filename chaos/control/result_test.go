package control

import (
	"runtime"
	"testing"
)

// TestSite: two failures are the same if they show at the same places, in whatever tasks and with whatever
// numbers.
func TestSite(t *testing.T) {
	at := func(line int) TaskState {
		return TaskState{Stack: []runtime.Frame{{Function: "example.com/queue.Get", File: "/src/queue.go", Line: line}}}
	}
	for _, c := range []struct {
		result Result
		want   string
	}{
		{Result{}, ""},
		{Result{Summary: "no task can continue", Tasks: []TaskState{at(36), at(31), at(36)}}, "queue.Get (queue.go:31); queue.Get (queue.go:36)"},
		{Result{Summary: "task main/12: panic: index 7\nmore"}, "index 7"},
		{Result{Summary: "task main/0: panic: \n\nmock: no such call\n0xc000012345"}, "mock: no such call"},
		{Result{Summary: "queue_test.go:26: n = 14, want 30\nmore"}, "queue_test.go:26: n = #, want #"},
		{Result{Summary: "3 tasks of 20"}, "# tasks of #"},
	} {
		if got := c.result.Site(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.result, got, c.want)
		}
	}
}
