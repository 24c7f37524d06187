// Package regress makes regression tests: Go source that repeats a recorded failure, and passes once
// that no longer happens. It decides where the file goes; the caller writes it.
//
// It imports the standard library and chaos/recording; package command imports it.
package regress
