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

// hold keeps a folder for temporary files from being removed by another command of stress while this process runs.
// If a stress debug runs, that holds it already.
func hold(folder string) {
	dir, err := syscall.Open(folder, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	if err := syscall.Flock(dir, syscall.LOCK_SH|syscall.LOCK_NB); err != nil {
		syscall.Close(dir)
		return
	}
	keep(dir)
}
