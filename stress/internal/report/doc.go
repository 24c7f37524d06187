// Package report is what people and machines see of a campaign: the lines and the live display of a
// terminal, JSON lines, and the documents that are written at the end (JUnit, Markdown, HTML). Each is
// an Observer of the types in report.go. It knows nothing of how executions are run.
package report
