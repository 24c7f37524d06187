// Package recording reads and writes the file that reproduces an execution, and shrinks the
// schedule in it. There is one format, of three kinds.
//
// A controlled recording has a schedule, which repeats the execution exactly:
//
//	rouse recording 2
//	kind: controlled
//	subject: example.com/queue TestQueue
//	build: go1.26.0 linux/amd64
//	strategy: pct(3)
//	seed: 0x1f83d9abfb41bd6b
//	execution: 417
//	verdict: deadlock
//	summary: no task can continue: main waits to be woken in queue.TestQueue.func1 (queue_test.go:31)
//	site: queue.TestQueue.func1 (queue_test.go:31)
//	hash: 5be0cd19137e2179
//	schedule:
//	  main #4: run main/0
//	  main/0 #2: run main/1
//	  main/1 #9.1: pick 2
//	  main/1 queue/notify #0: drop
//	end sha256 4f0c...
//
// An entry of the schedule is a decision other than the default one. "main/0 #2: run main/1": main/1
// went on when main/0 had done two operations and was about to do the next. "pick 2": of the outcomes
// of a step, number 2 was taken, counted from 0. "queue/notify #0: drop": a fault fired at the task's
// first visit of that point. A store buffer is a task, "main/0/buffer". ".1" counts decisions at the
// same place. The text after " # " is a comment.
//
// If the schedule was shrunk, the block "found:" before it has the entries that it was shrunk from, of which
// there are at most 1000. Nothing depends on them.
//
// An unmodified recording is of a test that nobody has changed, which stress test repeats. It has a
// schedule too, and "start:", the time at which the execution begins, and "clock:", when timers fire.
//
// A native recording has no schedule but "campaign:", the seed from which "seed:" follows,
// "maxprocs:", "explanation:", "faults:" (how often each was hit and fired), and what was seen at
// the end: "state:", "events:", "goroutines:".
//
// A field is a line, or a line and the block of lines below it, indented by two spaces. The block
// "setup:" is what the program that wrote the recording makes the subject from, such as a scenario; a
// recording of a test has none. "build:" ends in "race" for a binary with the race detector, "tags="
// and its build tags other than chaos (of an unmodified recording, all), "cpu=" and a GOMAXPROCS that
// was set, "version=", and "unverified" if nobody had tried that version of Go with stress test.
//
// The last line has a checksum of what precedes it, so that a torn or damaged file is refused.
// After an edit by hand it is "end" alone. A file of another version is refused.
//
// The package imports chaos/strategy and chaos/verdict. It knows nothing of scenarios.
package recording
