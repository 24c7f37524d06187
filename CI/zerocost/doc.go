// Zerocost proves that hooks cost nothing without the build tag "chaos".
//
//	go run ./CI/zerocost [package pattern ...]     # default: the packages of the pool
//
// It compares two normal builds of each package: the checkout, and the same source with its hooks
// removed (strip.go says how). The second build is an overlay of the go command, so the checkout is
// not touched and both builds have the same paths and line numbers.
//
//  1. The compiler makes the same instructions of every function, can inline the same functions, and
//     lays out the same data (listing.go). Its listing has symbolic operands, so addresses play no part.
//     No-ops are left out: the compiler marks inlined calls by them.
//  2. Nothing of hooks is linked: neither the code nor the package's test program refers to a symbol of
//     hooks or internal/seam, or to a variable that is a hook point, and no package is linked that only
//     hooks import. A program that only imports the packages, and every package of hooks, holds no
//     symbol of hooks either: a package variable would be linked with its initialiser (proof.go).
//
// Each package is compiled alone and with its tests. Generic code exists only where it is
// instantiated, which the tests do: a hooked function without code has not been compared, and is
// reported.
//
// hooks/channel replaces statements, which cannot be put back, so a package that uses it is refused.
//
// The exit code is 0 if the claim holds, 1 if it does not, 2 for a wrong command line, 3 if the proof
// could not be made. Each package under testdata violates the claim in one way, and the tests see to
// it that each is reported.
//
// It may import the standard library, internal/private and internal/process; nothing may import it.
package main
