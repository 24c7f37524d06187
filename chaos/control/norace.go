//go:build !race

package control

import "unsafe"

// raceDetector: there is none to keep anything from.
const raceDetector = false

// hide does nothing.
func hide() {}

// show does nothing.
func show() {}

func raceReleaseMerge(unsafe.Pointer) {}

func raceAcquire(unsafe.Pointer) {}
