// Package curves measures the cost of a job or a join as their number, the number of workers, and the
// depth of nested joins grow, and looks for cliffs: points where a small increase costs much
// more.
//
// It imports package pool, and of this module gopools, measure and picture, gonum's plot and the
// standard library.
package curves
