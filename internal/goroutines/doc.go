// Package goroutines reads the runtime's dumps of goroutines: text for people, in a format that
// each version of Go may change. chaos/native, the controlled engine and stress test use it for verdicts and
// messages; no decision of an engine depends on it. The test data are dumps of real programs.
//
// It never synchronises, because tasks of an execution call it: no regexp, no fmt.
//
// It imports the standard library only.
package goroutines
