// Package subject is how code under test is described: a [Target] names the workloads that
// can be run on it, their parameters, the oracles that judge an execution, and how to tell
// why it is stuck. [Target.Subject] checks the description and returns what stress.Main takes.
//
// A workload gets an [Execution]: the parameters of the scenario, seeded random numbers,
// named goroutines, jobs that must be done exactly once, and Fail.
//
// It imports hooks and chaos/verdict, and nothing else of the module but internal/nearest:
// how executions are run, counted and reported is the business of other packages. The pool of
// this module is described in stress/subjects/pool with nothing but this package.
package subject
