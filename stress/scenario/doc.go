// Package scenario is the vocabulary of stress: what a scenario file may say, and what it
// means. Schema is the JSON Schema of the files, made of the subjects, hook points, faults and verdicts
// of the binary. Load validates a file by it, or the campaign of a program's subjects, decodes it, and
// checks what depends on several values. Encode writes scenarios; With and WithEach run them with other
// variants.
//
// A Scenario is data: it names its subject, its workload and their parameters. Package run
// brings it to life. It imports nothing of stress but subject and small rooms of text.
package scenario
