//go:build race

package control

import "runtime"

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
