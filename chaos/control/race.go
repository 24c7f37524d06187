//go:build race

package control

import (
	"runtime"
	"unsafe"
)

// raceDetector: who hands over to whom must be kept from it.
const raceDetector = true

// hide keeps what the calling goroutine does from here to show out of the race
// detector's idea of who synchronises with whom.
//
//go:norace
func hide() { runtime.RaceDisable() }

// show ends what hide began.
//
//go:norace
func show() { runtime.RaceEnable() }

// raceReleaseMerge and raceAcquire are the detector's edges where no real
// operation makes them: whoever acquires x comes after all who released it.
//
//go:norace
func raceReleaseMerge(x unsafe.Pointer) { runtime.RaceReleaseMerge(x) }

//go:norace
func raceAcquire(x unsafe.Pointer) { runtime.RaceAcquire(x) }
