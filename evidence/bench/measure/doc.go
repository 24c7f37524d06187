// Package measure compares contestants honestly on a machine that does other things
// as well: they take turns (A B C, A B C, ...), what is compared is ratios within
// one round, and what is reported is the median of the rounds and how far apart they
// are.
//
// It imports the standard library only.
package measure
