//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package native

import (
	"syscall"
	"time"
)

// ProcessCPU returns the processor time that this process has used so far, all its threads
// together; ok is false where the system does not say. It costs a system call.
func ProcessCPU() (used time.Duration, ok bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
