// Package incgo has a loop whose progress is in a variable of C.
package incgo

// static int n;
// static int next(void) { return ++n; }
import "C"

//go:noinline
func next() int { return int(C.next()) }
