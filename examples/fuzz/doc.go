// Package fuzz has three defects, each of which needs a certain input and a certain schedule. Their fuzz
// targets find both: chaos.WithSchedule makes the schedule a part of the input, and the fuzzer of the go
// command, which mutates inputs that bring new coverage, searches for all of it.
//
//	go test -tags chaos -fuzz FuzzBatch ./examples/fuzz
//
// Failing inputs are kept in testdata/fuzz, as for any fuzz target, and go test runs them from then on.
package fuzz
