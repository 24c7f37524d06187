// Package goroot makes a build overlay of the user's GOROOT, under which the Go runtime runs
// goroutines one at a time and asks an engine which comes next. Nothing of the user's is rewritten.
//
// The overlay consists of
//
//   - files of GOROOT with patches applied: see [Patch]. A patch names a declaration and one line of
//     it, its anchor. Where an anchor is not found, [Make] fails with an [AnchorError]. Patches never
//     add or remove a line, so the positions in stacks are those of the user's GOROOT.
//   - files that are added, kept in _src at the paths where they go below GOROOT/src.
//   - the packages of the engine (rouse.Source), below GOROOT/src/internal/rouse. Their import paths
//     begin with internal/rouse there.
//
// The repository holds no file of Go's own.
//
// # Cache
//
// An overlay takes some 600 ms to make and 20 ms to find again. Its key is the Go version, GOROOT,
// GOEXPERIMENT, the sizes and times of the files of the standard library, and a hash of this package
// and the engine. The go command compiles the standard library once for each content of an overlay.
//
// The go command refuses to replace files below GOMODCACHE, where GOTOOLCHAIN puts toolchains. Such
// a toolchain is copied to the cache, by hard links where that is possible.
//
// It imports the standard library, golang.org/x/mod/modfile, the root package, internal/atomicfile,
// internal/input and internal/private; the packages that travel must not import it.
package goroot
