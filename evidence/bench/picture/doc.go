// Package picture draws the common elements of the benchmarks' pictures: panels side by
// side with one legend, curves that can be distinguished, axes by powers of ten.
//
// It imports gonum.org/v1/plot and the standard library.
package picture
