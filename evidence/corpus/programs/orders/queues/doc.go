// Package queues has queues, stacks and deques without a lock, with the memory orders that they need.
//
// Each test declares one order less, or leaves out a fence, and fails on a weak memory; its fixed twin
// has what the algorithm needs. On Go's own memory all of them are right. Items are stored by relaxed
// operations, since a weak memory leaves plain variables as they are.
package queues
