// Package stress is a command line that stresses code, this module's pool or your own: scenarios choose
// the workload and the faults, workloads run the code, oracles judge it, a campaign runs scenarios for
// a time or a count and leaves a recording of each failure.
//
// A program describes its code with package subject and calls Main. cmd/stress is Main with the pool
// and pool/burst, examples/queue/stress with a queue.
//
// The packages below it, each of which imports only those after it: internal/command, the command line;
// internal/campaign, many executions; internal/suite, a module's own tests; internal/report, reports for
// people and machines; internal/run, one execution; scenario, the files; subject, the description of
// code under test. Besides them, subjects has the pool and pool/burst as subjects, and mutants the
// planted defects.
package stress

//go:generate go test -tags chaos -run ^TestSchemaFile$ ./internal/command -update
