package driver

import (
	"runtime"
	"slices"
	"syscall"
)

// protect makes system calls of the tests that close a file of the worker, or of the runtime's poller, fail as if
// it were not there: some close all files that they do not know.
func protect(requests, answers int) {
	poll, wake := runtime.RousePoller()
	files := []int{requests, answers, poll, wake}
	slices.Sort(files)
	syscall.RouseKeep(files...)
}
