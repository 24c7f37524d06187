// Package memory has the models of memory that are weaker than Go's, and finds whether one of them did what a sequentially
// consistent memory cannot do (history.go).
//
// A model knows of the engine, and of what makes its steps: a Machine. Package hooked is one.
package memory
