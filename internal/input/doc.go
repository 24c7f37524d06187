// Package input reads files that users pass in: recordings, scenario files, journals, reports and
// plans; and the sources of their tests. They may be anything, so it refuses files that have no end or are
// larger than the caller expects.
//
// It asks the go command where the module cache is, and imports nothing of the module.
package input
