// Package gopools has Go's ways to start jobs from outside, rouse among them, behind one
// interface: a file for each. Each is used as documented, with its
// defaults, and with the requested number of workers where it takes one.
//
// It imports package pool, the modules that it wraps, and the standard
// library.
package gopools
