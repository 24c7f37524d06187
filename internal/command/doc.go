// Package command has the common parts of the commands of evidence/bench and evidence/corpus, which are modules of
// their own: exit codes, messages about bad input, interruption, and output files.
//
// It imports internal/nearest, internal/stdout, cobra and the standard library. Only main packages of
// those modules import it.
package command
