// Package nearest guesses what a name that does not exist was meant to be, so
// that an error can say what would be right, in the same words everywhere.
//
// It imports only the standard library; every package that checks names may
// import it.
package nearest
