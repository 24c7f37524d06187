// Package memory has the models of memory that are weaker than Go's, and finds whether one of them did what a sequentially
// consistent memory cannot do (history.go).
//
// A model uses the engine, and a Machine that makes its steps, which package hooked has.
package memory
