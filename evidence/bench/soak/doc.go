// Package soak runs any number of jobs through the pool in the normal build, mixed from all of its
// entries, and accounts for each: a job that is lost, run twice, or run although the pool reported
// that it was dropped or refused is a defect; so are a wrong result, a hang, a leaked goroutine,
// growing memory, and a counter of the pool that differs from the ledger.
//
// Kinds has the mix. The plan of batches follows from the seed; which worker runs which job, and
// when, depends on the machine.
//
// It imports pool and the standard library. Only bench/cmd/soak imports it.
package soak
