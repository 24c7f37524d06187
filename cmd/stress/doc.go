// Command stress stresses the pool and pool/burst, and reports what failed.
//
//	stress run [SCENARIO...]   run the scenarios, all if none is named; --variant: with these
//	                           variants of their subjects; --resume: from where the journal
//	                           in --out stops
//	stress merge REPORT...     join the reports of all shards (run --shard i/n)
//	stress replay FILE         run a recorded execution again
//	stress shrink FILE         leave out of a controlled execution what it does not need
//	stress explain FILE        show who did what in a recorded execution
//	stress mutants             plant defects in sleep and pool; the mutation score
//	stress list                the scenarios; --workloads: what scenarios may do to the subject
//	stress points              the hook points and what they offer
//	stress validate [FILE]     check a scenario file
//	stress schema              the JSON Schema of scenario files, for editors
//
// It must be built with -tags chaos. Exit codes: 0 all as expected; 1 a scenario
// failed, or a control was not detected; 2 usage, bad input, or a binary
// built without the tag; 3 the tool itself failed; 129, 130 and 143 interrupted by
// SIGHUP, SIGINT and SIGTERM. `go run` flattens these to 1: build the binary where
// the code matters.
package main
