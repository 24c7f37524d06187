// Package run runs one execution of a scenario, and judges it.
//
// A native execution runs truly in parallel in a child process, which has a watchdog
// (native.Watch) and tells its parent now and then that it is alive; the parent kills a child that
// does not. Controlled executions run in batches, on the loop of internal/explore that chaos.Explore
// has as well, each batch with a strategy that knows nothing of the others: so several processes find
// what one would. After a failure a process does not execute again, for goroutines may be left.
//
// Recordings are written and replayed here; how many executions there are, and in which order, is
// the business of package campaign.
package run
