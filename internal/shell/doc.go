// Package shell writes command lines that people copy: every word is quoted, so that a POSIX
// shell passes it on as it is, whatever a recording or a report had in it.
//
// It imports nothing of the module, and anything that prints a command may import it.
package shell
