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
// campaign is, then each execution before it runs and what it came to after, of a
// controlled scenario each batch. Who goes on with it (Options.Resume) runs again what was under way when
// the process was killed: a native execution, or under control what ran since the batch last
// said how far it is, with all that its strategies know (strategy.Resumable). It does so at
// most every 10 ms, before an execution; less often, up to a second, if that takes more than a part
// in 32 of its time, or its state more than a megabyte a second (keeping.go). An exhaustive scenario
// is one batch. What its strategies know may be many megabytes, so it is in a file
// beside the journal, exploration-*.state, of which the journal has the size and the checksum: its child
// appends what has come to it (strategy.Growing), begins another when too much of it no
// longer counts, and the campaign removes it when the scenario is done. Other states are in the
// journal's lines; of a batch whose state is above 256 KiB nothing is said before its end.
//
// Lines are written at once, which a kill cannot
// undo, and synced to the disk with each conviction, recording and end of a scenario,
// else once a second, after the exploration that they name: a machine that loses its power loses at most the last second.
// The journal is appended to; when it has grown by some megabytes, one that holds sums
// takes its place (a temporary file, renamed).
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
