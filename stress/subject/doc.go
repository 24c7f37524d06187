// Package subject describes code under test: a [Target] names the workloads that
// can be run on it, their parameters, the oracles that judge an execution, and how to diagnose
// a stuck one. [Target.Subject] checks the description and returns a [Subject] for stress.Main.
//
// A workload gets an [Execution]: the parameters of the scenario, seeded random numbers,
// named goroutines, jobs that must be done exactly once, and Fail.
//
// It imports hooks and chaos/verdict, and nothing else of the module but internal/nearest:
// other packages run, count and report executions. stress/subjects/pool describes the pool of
// this module with nothing but this package.
package subject
