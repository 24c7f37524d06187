// Package reproduce checks the promise of every recording: that it repeats its
// execution, 100 times of 100 (with -short 10), with an equal trace hash, whichever way goroutines are
// switched, on one processor or two, and in another binary, with the race detector or
// without. Each test that finds a failure under control passes it to this package.
//
// Another binary is another run of the same tests: if the environment variable
// ROUSE_RECORDINGS names a folder, recordings that it does not have are written to
// it, and those that it has must be the same, and repeat.
//
// The package is for tests only. Anything but tests must not import it; it imports
// packages of chaos.
package reproduce
