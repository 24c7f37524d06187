// Package command has what the commands of this module have in common: exit codes,
// what is said about bad input, interruption, and the files that are left.
//
// It imports internal/nearest, cobra and the standard library. Only main packages import it.
package command
