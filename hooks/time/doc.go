// Package time is a drop-in for the standard package [time] with hook points where code uses the
// clock: change the import path, and a test can be late at each reading, sleep, timer and ticker.
//
// # Normal build
//
// Types are aliases of the standard ones and functions are inlined calls of them: same machine
// code, same types. The binary holds no symbol of this package.
//
// UTC and Local are not here: Go cannot alias a variable, and a copy would cost every binary two
// variables and their initialisation. Take them from the standard package, imported under
// another name, or call the methods Time.UTC and Time.Local.
//
// # Chaos build
//
// What does not wait - Time, Duration, Month, Weekday, Location, ParseError, layouts, parsing -
// stays the standard package's. With the build tag "chaos", what waits or reads the clock passes
// points (points.go, or stress points) around the standard operation, which always runs. Without
// an engine a point costs one atomic load, and an operation one more.
//
// Faults can only delay and yield: clocks and timers of a busy machine are late, and never early.
// The function given to AfterFunc becomes a task (hooks.Task), one for each time that the timer
// is armed. An armed timer that is stopped or reset leaves a task that never starts.
//
// # Limits
//
// A timer with a channel fires inside the runtime, where no point can be: send and receive stay
// one step, and the guarantees of Stop and Reset since Go 1.23 hold. For late delivery, delay
// before the receive.
//
// In the chaos build *Timer and *Ticker are not those of the standard package: one that is passed
// to other code by its type has to stay the standard one. The deadlines of package context are
// not timers of this package.
//
// This package imports internal/seam and the standard library. The packages under chaos must not
// import it: an engine would observe itself.
package time
