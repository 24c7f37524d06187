// Package orders counts the partial orders of executions, in bounded memory, and estimates how likely
// it is that one more execution has a new order. Two executions have the same order if they differ only
// in operations that commute.
//
// It imports chaos/strategy, for the hash of an order with a setting.
package orders
