//go:build race

package racing

import (
	"runtime"
	"unsafe"
)

// Detector reports whether the race detector is in the binary.
const Detector = true

// Hide keeps what the calling goroutine does from here to Show out of the race
// detector's idea of who synchronises with whom: atomics, locks and channels
// create no edge. Memory accesses are a separate matter; they are hidden by
// go:norace. Blocking in between is allowed, nesting too.
//
//go:norace
func Hide() { runtime.RaceDisable() }

// Show ends what Hide began.
//
//go:norace
func Show() { runtime.RaceEnable() }

// ReleaseMerge and Acquire are the detector's edges where no real operation makes
// them: whoever acquires x comes after all who released it.
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
