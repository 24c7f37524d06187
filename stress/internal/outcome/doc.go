// Package outcome is what one execution came to, and where: Result, the Build that ran it, Latencies of many.
// Both the room that runs executions and the one that reports them speak in its terms.
package outcome
