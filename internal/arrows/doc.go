// Package arrows has no code: its tests enforce which package may import which,
// as DESIGN draws it, in both builds and on every system that is supported; and
// that every package opens with doc.go.
//
// A new room needs a line in the table of arrows_test.go before it may import
// anything of the project. This package imports only the standard library;
// nothing may import it.
package arrows
