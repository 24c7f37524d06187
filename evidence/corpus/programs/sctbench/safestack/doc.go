// Package safestack has SafeStack, a lock-free stack of indices that its author published as a
// riddle: its error needs three goroutines and many switches.
package safestack
