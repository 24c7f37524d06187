// Package chaos holds what every way of tormenting a subject shares: the plan of
// faults. The engines that carry a plan out are below it: chaos/native injects
// while goroutines run truly parallel.
//
// It imports hooks, internal/seam and internal/nearest, and knows nothing of pool, sleep or stress:
// it serves anyone's code.
package chaos
