// Package stress torments a subject, this module's pool or code of your own (Target):
// scenarios say what is done to it and what is to go wrong, workloads do it, oracles judge
// it, a campaign runs scenarios for a time or a count and leaves a recording of whatever
// it convicts.
//
// Native scenarios run truly parallel, each in a child process, which has a watchdog
// (native.Watch), and says now and then that it is alive; the parent has another for a
// child that doesn't. Controlled ones run one
// task at a time under chaos/control: what they find is a schedule, which repeats
// exactly, shrinks and explains itself. Their executions come in batches (batchSize),
// each with a strategy that knows nothing of the others, so that several processes find
// what one would.
//
// A campaign may keep a journal (Options.Journal), a file of JSON lines in its folder: what the
// campaign is, then each native execution before it runs and its result after, and each batch of a
// controlled scenario likewise. A campaign that resumes it (Options.Resume) runs again what was in
// progress when the process was killed: a native execution, or a batch from its beginning. Batches
// that have ended are in the journal and do not run again. An exhaustive scenario is one batch, so it
// starts over.
//
// Lines are written at once, so that a kill cannot undo them. They are synced to the disk with each
// failure, recording and end of a scenario, else once a second: a machine that loses its power loses
// at most the last second. When the journal has grown by some megabytes, a shorter one that holds sums
// replaces it (a temporary file, renamed).
//
// Reports are Observers: Console for people who watch, JSONLines for machines, and Documents, which are
// written at the end (JUnit, Markdown, HTML). What they show over time are Samples, of which
// a campaign keeps some hundreds, however long it is. Package internal/chart draws.
//
// The pool is tormented with any of the strategies of package sleep: a scenario names one,
// or says what else is to be expected of it with another (Exception, Scenario.With). Other subjects
// have none.
//
// Package mutants below it puts the oracles to the test.
//
// The command line is here as well (Main, command_*.go), so that any program can have it;
// what it needs that knows nothing of scenarios is in internal/command. cmd/stress is
// Main with the pool, examples/queue/stress with a queue.
//
// It is the only room that knows both chaos and pool.
package stress

//go:generate go test -tags chaos -run ^(TestSchemaFile|TestEveryFaultIsFired)$ . -update
