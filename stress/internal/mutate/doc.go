// Package mutate plants concurrency defects in a module's packages, one at a time, and reports which of
// them the packages' own tests do not detect: stress mutate. Package operator finds which defects can be
// planted where. The module is not changed: a mutant is a build overlay.
//
// A trial is one mutant tested in one way: by go test, with the race detector, under stress test
// (package suite), or by a command of the user's. First the tests run on the unmutated package in each
// way, and those that fail are left out; one run of each with coverage says which mutants it can see.
// Trials run several at a time. Results are reported in the order of the mutants, and kept in a journal
// as they come.
//
// The order of the files is that of a run: options.go, session.go, load.go (packages and mutants),
// since.go and sample.go (which of them), baseline.go and coverage.go (unmutated tests), build.go,
// trial.go, idle.go and control.go (one mutant in one way), listing.go (equivalents), journal.go and
// unmutated.go.
//
// It imports packages operator, suite, report, chaos/goroot and packages under internal; package
// command imports it.
package mutate
