// Package stdout is standard output for programs that must not lose output: it keeps write errors,
// and reports an error if standard output is closed.
//
// It imports the standard library and golang.org/x/sys.
package stdout
