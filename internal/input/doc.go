// Package input reads files that people hand over: recordings, scenario files, journals, reports
// and plans. They may be anything, so that nothing is read that has no end, or is larger than the
// reader expects.
//
// It imports nothing of the module.
package input
