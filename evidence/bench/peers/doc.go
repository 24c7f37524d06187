// Package peers compares contestants in turns and judges bounds by the
// ratios of one round: a row has contestants and bounds, Row.Run runs it, and the results are
// written as Markdown, as lines of JSON, and for benchstat.
//
// It imports measure and the standard library. It knows no contestant: see package rows.
package peers
