// Package mutants plants deliberate defects in sleep and pool, one at a time, and
// says which of them the oracles see: the mutation score.
//
// A mutant is data, a file NAME.mutant beside this one; Parse says what may stand in
// it. The source stays as it is: the changed files are a build overlay
// (go build -overlay) around the package's own test TestKill, which runs a small
// program under control, one schedule after the other, until one is convicted.
// Package kill beside this one is what that test and this package have in common.
//
// It imports stress for its errors, and chaos. Tests of sleep and pool must not
// import it, only package kill.
package mutants
