// Package scenario is the vocabulary of stress: what a scenario file may say, and what it
// means. Load reads and checks a file, or the campaign of a program's subjects; Encode writes scenarios;
// Schema is the JSON Schema of the files; With and WithEach run them with other variants.
//
// A Scenario is data: it names its subject, its workload and their parameters. Package run
// brings it to life. It imports nothing of stress but subject and small rooms of text.
package scenario
