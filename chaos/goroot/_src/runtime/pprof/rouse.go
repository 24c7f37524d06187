package pprof

import _ "unsafe" // linkname

// rouseInside(1) begins, and rouseInside(-1) ends, what waits for the goroutine that writes the
// profile, which no execution controls: see the runtime.
//
//go:linkname rouseInside os/signal.rouseInside
func rouseInside(d int32)

// rouseLack notes what a test asks for and cannot have: see the runtime.
//
//go:linkname rouseLack testing.rouseLack
func rouseLack(what string)

// rouseProfiled is called when somebody reads a profile.
func rouseProfiled(name string) {
	switch name {
	case "heap", "allocs", "block", "mutex", "threadcreate":
		rouseLack("a profile shows the engine, too")
	}
}

// rouseGo is a go statement that makes no task: see the runtime.
//
//go:linkname rouseGo os/signal.rouseGo
func rouseGo(f func())

// rouseLeaksShown is called when the profile of leaked goroutines has been taken, and is about to be
// written: see the runtime.
//
//go:linkname rouseLeaksShown
func rouseLeaksShown()
