// Package measure compares contestants honestly on a machine that does other things
// as well: they take turns (A B C, A B C, ...), ratios are formed within
// one round, and the median of the rounds and their spread are reported.
//
// It imports the standard library only.
package measure
