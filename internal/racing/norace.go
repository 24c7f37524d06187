//go:build !race

package racing

import "unsafe"

// Detector reports whether the race detector is in the binary.
const Detector = false

// Hide does nothing where there is no race detector to hide from.
func Hide() {}

// Show does nothing.
func Show() {}

// ReleaseMerge does nothing.
func ReleaseMerge(unsafe.Pointer) {}

// Acquire does nothing.
func Acquire(unsafe.Pointer) {}

// Errors is 0.
func Errors() int { return 0 }
