// Package stdout is standard output for programs that must not lose what they print: an error of
// writing is kept, and there is one if standard output is closed.
//
// It imports the standard library and golang.org/x/sys.
package stdout
