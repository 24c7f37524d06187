// Package operator finds which concurrency defects can be planted where in a Go package, for stress
// mutate. An operator is a kind of defect, such as a Signal that is not called; a mutant is one place
// in one file at which an operator applies, with the text that changes.
//
// Types decide, not names: whether a method Add is a WaitGroup's is decided by go/types. The drop-ins
// of hooks count as the packages that they stand for. A mutant that does not type-check is repaired if
// a variable or an import has become unused, and is dropped otherwise.
//
// There is a file for each family of operators. Shared files: find.go walks a package, calls.go
// recognizes calls, places.go statements, edits.go makes changes of text, check.go type-checks them.
//
// It starts no process and writes no file. It imports golang.org/x/tools and nothing of this module;
// package mutate imports it.
package operator
