//go:build race

package racing

import (
	"runtime"
	"unsafe"
)

// Detector reports whether the race detector is in the binary.
const Detector = true

// Hide keeps the atomics, locks and channels that the calling goroutine uses until Show from
// creating edges for the race detector. Memory accesses are hidden by go:norace instead. The
// goroutine may block in between, and calls may be nested.
//
//go:norace
func Hide() { runtime.RaceDisable() }

// Show ends what Hide began.
//
//go:norace
func Show() { runtime.RaceEnable() }

// ReleaseMerge and Acquire create edges where no real operation does: a goroutine that acquires x
// comes after all that have released it.
//
//go:norace
func ReleaseMerge(x unsafe.Pointer) { runtime.RaceReleaseMerge(x) }

// Acquire is the other end of ReleaseMerge.
//
//go:norace
func Acquire(x unsafe.Pointer) { runtime.RaceAcquire(x) }

// Errors counts the data races that the detector has reported. It reports each pair of
// places once in a process.
//
//go:norace
func Errors() int { return runtime.RaceErrors() }
