// Package report has the reports for people and machines on a campaign, and on a run of a module's own tests:
// the lines and the live display of a terminal, JSON lines, and the documents that are written at the end
// (JUnit, Markdown, HTML). Each is an Observer of the types in report.go, or a TestObserver of those in
// tests.go. The package does not know how executions are run.
package report
