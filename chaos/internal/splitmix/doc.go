// Package splitmix is how both engines draw: every decision is a hash of the names
// of what is decided - seed, task, point, number of the visit, number of the fault -
// so that one more draw here changes none elsewhere.
//
// It imports the standard library only. The packages under chaos import it; their
// hooks call it, so that nothing in it may be visible to the race detector.
package splitmix
