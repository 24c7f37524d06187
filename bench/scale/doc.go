// Package scale says on paper what becomes of four ways to sleep on machines that we
// don't have: up to 4,096 workers, each on a core of its own. It is a simulation in virtual
// time. Workers, thieves and posters take the steps of sleep/README.md, whose letters are in the
// comments; what a step takes is an input, measured (Measure) on a machine that we have.
//
// The same seed gives the same run. A run in which a job is lost, or runs twice, is an error.
//
//	time       clock.go: events in order; an actor is a coroutine that lets time pass
//	memory     line.go: cache lines, for which cores queue; locks
//	the pool   pool.go, worker.go, search.go, latch.go: queues, searches, waits, joins
//	the ways   way.go; jec.go, whose decisions are package sleep's own; tickle.go
//	the work   workload.go: a root that forks, a burst and a trickle from outside
//	the result run.go, figures.go, picture.go; validate.go sets it beside the pool that ships
//
// It imports packages sleep, pool, measure, picture, internal/nearest, gonum.org/v1/plot
// for the pictures, and the standard library.
package scale
