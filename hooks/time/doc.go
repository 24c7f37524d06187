// Package time is a drop-in for the standard package [time] with hook points
// where code meets the clock: change the import path, and each reading, sleep,
// timer and ticker becomes a place where a test can make it late.
//
// # Normal build
//
// Types are aliases of the standard ones and functions are inlined calls of
// them: same machine code, same types. The variables UTC and Local, eight bytes
// each, and the two moves that set them are all that a binary holds of this
// package.
//
// # Chaos build
//
// What does not wait - Time, Duration, Month, Weekday, Location, ParseError, the
// layouts, parsing - is the standard package's still. With the build tag "chaos",
// what waits or reads the clock passes points (see points.go, or stress points)
// beside the standard operation, which always runs. With no engine installed a
// point costs one atomic load, and an operation one more.
//
// A fault here can only delay and yield: clocks and timers of a busy machine are
// late, and never early. The function given to AfterFunc becomes a task
// (hooks.Task), one for each time that the timer is armed. An armed timer that is
// stopped or reset leaves a task that never starts.
//
// # Limits
//
// A timer with a channel fires inside the runtime, where no point can be: send
// and receive stay one step, and the guarantees of Stop and Reset since Go 1.23
// hold. Late delivery is had from a delay before the receive.
//
// In the chaos build *Timer and *Ticker are not those of the standard package:
// where both builds must compile, one that is passed to foreign code by its type
// has to stay the standard one. The deadlines of package context are not timers
// of this package.
//
// Local is a copy: assigning to it changes nothing else. Set the standard
// package's variable instead.
//
// This package imports hooks and the standard library only. Production code may
// import it; the packages under chaos must not, or an engine would observe
// itself.
package time
