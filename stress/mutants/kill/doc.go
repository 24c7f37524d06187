// Package kill counts how many executions it takes to detect a mutant. A test of the package that a
// mutant changes defines Programs and calls Test; package mutants builds that test around each mutant,
// runs it, and reads the answers.
//
// It imports chaos, and must import neither stress nor the tested packages: the tests of sleep and pool
// import it.
package kill
