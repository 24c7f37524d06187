// Package locks has algorithms that exclude or wait, with the memory orders that they need.
//
// Each test declares one order less, or leaves out a fence, and fails on a weak memory; its fixed twin
// has what the algorithm needs. On Go's own memory all of them are right. What a lock protects is read
// and written by relaxed operations, since a weak memory leaves plain variables as they are.
package locks
