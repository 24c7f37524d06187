// Package gopools has Go's ways to start jobs from outside, rouse among them, behind one
// interface: a file for each. Each is used as its documentation has it, with its
// defaults, and as many workers as it is asked for where it takes a number.
//
// It imports package pool, the modules that it is about, and the standard
// library.
package gopools
