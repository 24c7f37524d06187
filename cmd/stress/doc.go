// Command stress stresses the pool and pool/burst, and reports what fails.
//
//	stress run [SCENARIO...]   run the scenarios, all if none is named
//	stress merge REPORT...     merge the reports of all shards (run --shard i/n)
//	stress replay FILE         run a recorded execution again
//	stress shrink FILE         leave out of a controlled execution what it does not need to fail
//	stress explain FILE        show what each task did in a recorded execution
//	stress mutants             plant defects in sleep and pool; the mutation score
//	stress list                list the scenarios, the workloads or the oracles
//	stress points              list the hook points and the faults that they offer
//	stress validate [FILE]     check a scenario file
//	stress schema [SUBJECT]    print the JSON Schema of scenario files
//	stress completion SHELL    print a script for the completion of a shell
//
// It must be built with -tags chaos. Exit codes: 0 all as expected; 1 a scenario failed, or a
// control did not fail; 2 usage, bad input, or a binary built without the tag; 3 the tool itself
// failed; 129, 130 and 143 interrupted by SIGHUP, SIGINT and SIGTERM. `go run` turns each of
// these into 1: build the binary where the code matters.
package main
