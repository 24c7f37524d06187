// Package corpus has bugs that others have described, and measures how stress test finds them.
//
// A set is a folder below programs (tests that retell published bugs), goroot (the kernels of GoKer in
// GOROOT), released (drivers for released versions of libraries) or hunt (drivers for libraries without a
// known bug). Its bugs.yaml names the tests and the expected results. Load reads and checks all sets.
//
// It imports packages goroot/corpus and verdict of chaos, and internal packages of rouse. Nothing of rouse
// imports it, and no library under test is in its go.mod.
package corpus
