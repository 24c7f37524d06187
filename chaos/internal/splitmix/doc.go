// Package splitmix draws random numbers for both engines: every decision is a hash of
// its coordinates - seed, task, point, number of the visit, number of the fault -
// so that one more draw here changes no draw elsewhere.
//
// It imports the standard library only. The packages under chaos import it; their
// hooks call it, so that nothing in it may be visible to the race detector.
package splitmix
