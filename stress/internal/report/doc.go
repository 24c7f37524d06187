// Package report has the reports for people and machines on a campaign, on a run of a module's own tests, and on one of
// its mutants: the lines and the live display of a terminal, JSON lines, and the documents that are written at the end
// (JUnit, Markdown, HTML, annotations). Each is an Observer of the events of the run. An event is a type of its own for
// each kind of run, in campaign.go, tests.go and mutants.go, and has methods for what is particular to it. The package
// does not know how executions are run.
package report
