package verdict

import "strings"

// A Verdict classifies an execution.
type Verdict string

// The verdicts.
const (
	Pass            Verdict = "pass"
	LostWakeup      Verdict = "lost-wakeup"      // work is there or a latch is set, and the worker that should have been woken sleeps
	Deadlock        Verdict = "deadlock"         // all tasks are blocked, and no missing wakeup explains it
	LostParallelism Verdict = "lost-parallelism" // work waits, workers sleep, and those awake wait for that work
	Livelock        Verdict = "livelock"         // all tasks repeat themselves without progress
	Spin            Verdict = "spin"             // a waiter wakes for events that are not its own
	NeverSleeps     Verdict = "never-sleeps"     // an idle worker searches for work forever
	LostTask        Verdict = "lost-task"        // a job never ran
	DuplicateTask   Verdict = "duplicate-task"   // a job ran more than once
	WrongResult     Verdict = "wrong-result"     // the answer is not the sequential one
	Invariant       Verdict = "invariant"        // a counter left the bounds of its invariant
	StaleUse        Verdict = "stale-use"        // memory was used after it was freed or reused
	MemoryGrowth    Verdict = "memory-growth"    // finished work is still kept, and more each time
	Leak            Verdict = "leak"             // a goroutine outlived its purpose
	Panicked        Verdict = "panic"            // an unexpected panic
	DataRace        Verdict = "data-race"        // the race detector reported a race
	ReliesOnSC      Verdict = "relies-on-sc"     // wrong if the memory were as weak as declared
	Timeout         Verdict = "timeout"          // not finished in time, but not stuck
	NeverReached    Verdict = "never-reached"    // a fault of the plan never fired: nothing was tested
	Nondeterminism  Verdict = "nondeterminism"   // the same decisions led to another trace
	Uncontrolled    Verdict = "uncontrolled"     // a goroutine that is not a task, or a wake from outside, took part in a controlled execution
)

// All lists the verdicts in the order of their declaration.
func All() []Verdict {
	return []Verdict{Pass, LostWakeup, Deadlock, LostParallelism, Livelock, Spin, NeverSleeps,
		LostTask, DuplicateTask, WrongResult, Invariant, StaleUse, MemoryGrowth, Leak, Panicked, DataRace, ReliesOnSC, Timeout, NeverReached, Nondeterminism, Uncontrolled}
}

// OfPanic returns the verdict on a panic with that text: StaleUse if it contains ": stale use: ",
// as the panics of package pool on poisoned memory do in the chaos build.
func OfPanic(text string) Verdict {
	if strings.Contains(text, ": stale use: ") {
		return StaleUse
	}
	return Panicked
}
