// Package mutants plants deliberate defects in sleep and pool, one at a time, and reports which of
// them are detected: the mutation score.
//
// A mutant is a unified diff, NAME.diff in this folder; the text before its first --- line states the
// expected results (see parse). The source stays as it is: the changed files are a build overlay
// (go build -overlay) around the test TestKill of sleep or pool, which runs small programs under
// control until an execution fails. That test and this package share package kill.
//
// For a new mutant, plant the defect, write git diff to NAME.diff, put the header before it, and undo the
// change. Positions in a diff are for readers and for patch; a hunk applies where its lines are, which
// must be one place. When the source has moved,
//
//	go test ./stress/mutants -run TestAllApply -update
//
// writes all diffs anew.
//
// It imports stress for its errors, and chaos. Tests of sleep and pool must import only kill.
package mutants
