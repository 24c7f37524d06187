//go:build !race

package control

// raceDetector: there is none to keep anything from.
const raceDetector = false

// hide does nothing.
func hide() {}

// show does nothing.
func show() {}
