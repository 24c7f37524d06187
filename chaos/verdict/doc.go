// Package verdict holds the classes of what an oracle can say of an execution:
// the words of the reports, the recordings and the scenarios.
//
// It imports no other room; chaos and stress say it in their own packages, too.
package verdict
