// Package foreign runs contestants that are not written in Go: small programs of ours
// on rayon and on TBB, whose sources are in rust/ and tbb/. They are built on demand, if the
// machine has the toolchain.
//
// A program is asked for one turn at a time, by a line on its standard input, and answers by a
// line on its standard output; in between it waits, so that its turns alternate with those of others:
//
//	fib 2 32                a name and whole numbers
//	ok 2178309 20514232     the computed result, and the figures of the turn
//	error no row "fob"      or the reason for having no result
//
// It imports the standard library only.
package foreign
