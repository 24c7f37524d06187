// Package mutation makes evidence/mutation-scores.md, which shows how many planted defects are detected in some
// packages, and why the others are not.
//
// A subject is a pair of files in evidence/mutation. NAME.jsonl has the measurements: Merge adds the JSON
// reports of stress mutate. NAME.yaml has the judgement of each survivor: equivalent, speed or open. The
// page follows from these files alone, and a test fails if it is not current.
//
// It imports internal/atomicfile, a parser of YAML, and the standard library. Only bench/cmd/mutation
// imports it.
package mutation
