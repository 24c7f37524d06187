// Package kill counts how many executions it takes to kill a mutant. A test of the
// package that a mutant changes describes its programs and calls Run; package
// mutants builds that test around each mutant, runs it, and reads the answers.
//
// It imports chaos, and must import neither stress nor what is tested: the tests of
// sleep and pool import it.
package kill
