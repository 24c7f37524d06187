// Package called finds out how the running program was called, so that messages can print
// commands that a person can paste.
package called
