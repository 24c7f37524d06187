// Package stress torments the pool: scenarios say what is done to it and what is
// to go wrong, workloads do it, oracles judge it, a campaign runs scenarios for
// a time or a count and leaves a recording of whatever it convicts.
//
// Native scenarios run truly parallel, each in a child process. Controlled ones run one
// task at a time under chaos/control: what they find is a schedule, which repeats
// exactly, shrinks and explains itself. Their executions come in batches (batchSize),
// each with a strategy that knows nothing of the others, so that several processes find
// what one would.
//
// The subject is the pool with any of the strategies of package sleep: a scenario names one,
// or says what else is to be expected of it with another (Exception, Scenario.With).
//
// Package mutants below it puts the oracles to the test.
//
// It is the only room that knows both chaos and pool. cmd/stress is its command
// line.
package stress
