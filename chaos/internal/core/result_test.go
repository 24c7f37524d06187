package core

import (
	"runtime"
	"strings"
	"testing"
)

// long is a message with an address that has been shortened.
func long(address string) string {
	return ("q_test.go:3: " + address + strings.Repeat(" word", 100))[:200] + "..."
}

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
		{Result{Summary: "task main/12: panic: index 7\nmore"}, "index #"},
		{Result{Summary: "task main: panic: got 0xc000a1 at 7"}, "got # at #"},
		{Result{Summary: "q_test.go:10: got 0x76683fea610, a 0xFe, 10x5, 0x, 0xyz and &{0xc00 0xd}"}, "q_test.go:10: got #, a #, #x#, #, #yz and &{# #}"},
		{Result{Summary: "q_test.go:0x1"}, "q_test.go:0x#"},
		{Result{Summary: long("0xc000010000")}, long("#")[:100] + "..."},
		{Result{Summary: "task main/0: panic: \n\nmock: no such call\n0xc000012345"}, "mock: no such call"},
		{Result{Summary: "queue_test.go:26: n = 14, want 30\nmore"}, "queue_test.go:26: n = #, want #"},
		{Result{Summary: "3 tasks of 20"}, "# tasks of #"},
	} {
		if got := c.result.Site(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.result, got, c.want)
		}
	}
}
