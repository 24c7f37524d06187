// Package peers compares contestants in turns and judges bounds by the
// ratios of one round: a row has contestants and bounds, a plan runs it, and what comes of it is
// written as Markdown, as lines of JSON, and for benchstat.
//
// It imports measure and the standard library. It knows no contestant: see package rows.
package peers
