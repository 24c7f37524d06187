//go:build unix

package driver

import "syscall"

// closeOnExec keeps a file from processes that the tests start.
func closeOnExec(file int) { syscall.CloseOnExec(file) }
