// Package outcome defines the outcome of an execution: Result, the Build that ran it, and the Latencies of
// many. The packages that run, count and report executions share it; it imports none of them.
package outcome
