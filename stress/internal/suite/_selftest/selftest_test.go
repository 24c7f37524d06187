// Package selftest is built and run by stress test before it trusts a version of Go that nobody has tried: each
// test is one thing that control depends on. What its executions do, and what they find, must be what it was on the
// versions before. So a value that must not change decides how many steps there are: see shows.
package selftest

import "runtime"

// shows makes a value show in the steps of an execution.
func shows(value uint64) {
	for range value % 11 {
		runtime.Gosched()
	}
}
