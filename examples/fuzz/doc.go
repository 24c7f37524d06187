// Package fuzz has three defects, each of which needs a certain input and a certain schedule. Their fuzz
// targets find both: chaos.WithSchedule makes the schedule a part of the input, and the fuzzer of the go
// command, which mutates what brings new coverage, searches for all of it.
//
//	go test -tags chaos -fuzz FuzzBatch ./examples/fuzz
//
// Inputs that fail are kept in testdata/fuzz, as of any fuzz target, and go test runs them from then on.
package fuzz
