// Package nearest guesses which name was meant by an unknown one, so that errors suggest it in the
// same words everywhere.
//
// It imports only the standard library; every package that checks names may
// import it.
package nearest
