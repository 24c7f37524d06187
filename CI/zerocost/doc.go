// Zerocost proves that hooks cost nothing without the build tag "chaos".
//
//	go run ./CI/zerocost [package pattern ...]     # default: those that ship hooks
//
// The claim has two halves, and each is checked on a normal build:
//
//  1. A binary that uses all that the packages export holds nothing of hooks: no
//     symbol of hooks or internal/seam (hooks/time and hooks/context aside), no
//     variable that holds a hook point, and nothing at all that it would not hold
//     without the hooks.
//  2. Every function of the packages, hooked or not, has the same instructions as
//     in a tree from which the hooks were stripped mechanically (see strip.go).
//
// The functions of hooks/channel stand for statements, which no stripping puts back, so they are
// not looked at: the tests of that package see to it that all but Select are inlined. Select is a function
// that allocates; its documentation says what it costs.
//
// The second tree exists only as a build overlay: the checkout is not touched, and
// both trees have the same paths and the same line numbers. Instructions are read
// from the object files that the linker puts into the binary, because there an
// operand is still the name of what it refers to and addresses do not exist yet.
// Names and sizes in the linked binaries are compared as well.
//
// A binary keeps only what it uses, and generic code exists only where it is
// instantiated; so a generated main package (see probe.go) uses everything that
// the packages export. A hooked function that has no code in the result was not
// looked at, and that is reported like a difference.
//
// The exit code is 0 if the claim holds, 1 if it does not, 3 if the proof could
// not be made. The packages under testdata are built to violate the claim, one
// way each; the tests see to it that none gets through.
//
// This program imports the standard library only; nothing may import it.
package main
