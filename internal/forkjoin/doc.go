// Package forkjoin makes random fork-join programs, runs them in pools, and compares their
// results with their meaning.
//
// A program is a tree of nodes, one for each way in which a job can start others and wait
// for them. Grow makes it from a seed; Meaning interprets it without any pool.
//
// It imports pool, hooks and the drop-ins, so that it runs under control as well. The tests
// of pool and package stress import it; nothing that ships does.
package forkjoin
