// Package verdict holds the verdicts of an oracle on an execution: the words that reports,
// recordings and scenarios use.
//
// It imports no other room; chaos and stress have the verdicts in their own packages, too.
package verdict
