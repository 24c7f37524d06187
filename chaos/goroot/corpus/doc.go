// Package corpus measures stress test on code that nobody has changed: the planted bugs of
// chaos/goroot/testdata/planted and their fixed twins, and the kernels of GoKer and the other programs that
// Go's own source tree has for the tests of its goroutine-leak profile. It runs the built program.
//
// It imports the standard library and package verdict. Its tests and the benchmarks use it.
package corpus
