// Package command is the command line of stress: a file for each command, and for shared parts
// (flags, outputs, exit codes, help, completion). Main runs it.
//
// It imports the packages below it, campaign, suite, report and run, and package scenario. stress calls
// Main; stress/mutants, which adds a command, uses its flags and errors.
package command
