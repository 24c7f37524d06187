// Package worker is what a test binary does under stress test: it serves the requests of package
// wire. It explores the schedules of a test, repeats, shrinks and explains what failed, and reports
// executions that do not repeat, with the first difference.
//
// Package driver, which exists only below GOROOT, starts it in a binary that was built with the
// overlay of package goroot. The worker does not know how tests are run: see [Binary].
//
// The package travels below GOROOT, so it imports the standard library and packages that travel too.
package worker
