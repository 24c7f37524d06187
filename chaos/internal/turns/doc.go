// Package turns lets one engine at a time have the process: the entries that install an
// engine for a while, and take it out again, wait here for each other.
//
// It imports the standard library and internal/seam. The packages under chaos import it.
package turns
