// Package picture draws what the benchmarks' pictures have in common: panels side by
// side with one legend, curves that can be distinguished, axes by powers of ten.
//
// It imports gonum.org/v1/plot and the standard library.
package picture
