// Package recording is the file that reproduces an execution: what was run, how it
// ended, and its schedule, as text.
//
//	rouse schedule 1
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
//	main #4: run main/0
//	main/0 #2: run main/1
//	main/1 #9.1: pick 2
//	main/1 queue/notify #0: drop
//
// The subject of a recording with a line "setup:" is not a test but was made from what
// stands there.
//
// An entry says what the canonical policy would not have done: "main/0 #2: run
// main/1" that main/1 went on when main/0 had done two operations and was about to
// do the next; "pick 2" that of the outcomes of a step the one of that number,
// from 0, came about; "queue/notify #0: drop" that a fault struck the task's first
// visit of that point. A store buffer is a task, "main/0/buffer". ".1" counts decisions at the same place. Everything behind
// a # with a space before and behind it is a comment.
//
// The seed is the exploration's, or of a scenario, the execution's. "build:" ends in
// "race" for a binary with the race detector, "tags=" and its build tags other than chaos,
// and "cpu=" and a GOMAXPROCS that was set.
//
// It imports chaos/strategy and chaos/verdict.
package recording
