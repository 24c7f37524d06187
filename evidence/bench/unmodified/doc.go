// Package unmodified measures stress test on unmodified code: the test suites of released libraries,
// the kernels of GoKer, whether executions repeat themselves, the cost of a point, and which tests
// notice that a patch is left out. Nothing of a library is edited: its module is copied from the
// module cache, as the go command must be able to write go.sum there.
//
// It imports packages goroot and corpus of the module rouse. Only bench/cmd/unmodified imports it.
package unmodified
