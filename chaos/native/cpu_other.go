//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package native

import "time"

// ProcessCPU returns the processor time that this process has used so far, all its threads
// together; ok is false where the system does not say, as here.
func ProcessCPU() (used time.Duration, ok bool) { return 0, false }
