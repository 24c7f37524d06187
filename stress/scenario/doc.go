// Package scenario is the vocabulary of stress: the contents of scenario files and their
// meaning. Schema is the JSON Schema of the files, made of the subjects, hook points, faults and verdicts
// of the binary. Load validates a file, or the campaign of a program's subjects, against it, decodes it,
// and checks rules that involve several values. Encode writes scenarios; With and WithEach return them
// with other variants.
//
// A Scenario is data: it names its subject, its workload and their parameters. Package run runs
// it. Of stress, this package imports only subject and small packages for text.
package scenario
