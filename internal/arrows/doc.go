// Package arrows has no code: its tests enforce which package may import which,
// as DESIGN draws it, in both builds and on every system that is supported; that
// every package opens with doc.go; and that all tests look for leaked goroutines.
//
// A new package needs a line in the table of arrows_test.go before it may import
// anything of the project. Nothing may import this package.
package arrows
