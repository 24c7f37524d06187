//go:build race

package native

import "runtime"

// hide keeps what the calling goroutine does from here to show out of the race
// detector's idea of who synchronises with whom: atomics, locks and channels
// create no edge. Memory accesses are a separate matter; they are hidden by
// go:norace. Blocking in between is allowed, nesting too.
//
//go:norace
func hide() { runtime.RaceDisable() }

// show ends what hide began.
//
//go:norace
func show() { runtime.RaceEnable() }
