// Package stress torments the pool: scenarios say what is done to it and what is
// to go wrong, workloads do it, oracles judge it, a campaign runs scenarios for
// a time or a count and leaves a recording of whatever it convicts.
//
// Package mutants below it puts the oracles to the test.
//
// It is the only room that knows both chaos and pool. cmd/stress is its command
// line.
package stress
