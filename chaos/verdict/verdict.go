package verdict

import "strings"

// A Verdict classifies an execution.
type Verdict string

// The verdicts.
const (
	Pass            Verdict = "pass"
	LostWakeup      Verdict = "lost-wakeup"      // work or a set latch, and who should have been woken sleeps
	Deadlock        Verdict = "deadlock"         // all are blocked, and no missing wakeup explains it
	LostParallelism Verdict = "lost-parallelism" // work waits, workers sleep, and those awake wait for that work
	Livelock        Verdict = "livelock"         // all repeat themselves, and nobody can get on
	Spin            Verdict = "spin"             // who waits burns time on what is not for it
	NeverSleeps     Verdict = "never-sleeps"     // who has nothing to do looks for work for ever
	LostTask        Verdict = "lost-task"        // a job never ran
	DuplicateTask   Verdict = "duplicate-task"   // a job ran more than once
	WrongResult     Verdict = "wrong-result"     // the answer is not the sequential one
	Invariant       Verdict = "invariant"        // a counter left the bounds of its invariant
	StaleUse        Verdict = "stale-use"        // what was free, or somebody else's by then, was used
	MemoryGrowth    Verdict = "memory-growth"    // what is over is still kept, and more of it each time
	Leak            Verdict = "leak"             // a goroutine outlived what it served
	Panicked        Verdict = "panic"            // something panicked that was not to
	DataRace        Verdict = "data-race"        // the race detector spoke
	ReliesOnSC      Verdict = "relies-on-sc"     // wrong if the memory were as weak as declared
	Timeout         Verdict = "timeout"          // not finished in time, yet not stuck
	NeverReached    Verdict = "never-reached"    // a fault of the plan never fired: nothing was tested
	Nondeterminism  Verdict = "nondeterminism"   // the same decisions led elsewhere
	Uncontrolled    Verdict = "uncontrolled"     // a goroutine that is no task, or a wake from outside, took part in a controlled execution
)

// All lists the verdicts in the order of their declaration.
func All() []Verdict {
	return []Verdict{Pass, LostWakeup, Deadlock, LostParallelism, Livelock, Spin, NeverSleeps,
		LostTask, DuplicateTask, WrongResult, Invariant, StaleUse, MemoryGrowth, Leak, Panicked, DataRace, ReliesOnSC, Timeout, NeverReached, Nondeterminism, Uncontrolled}
}

// OfPanic is the verdict on a panic that says so: what tells of memory that it has poisoned says
// ": stale use: ", as package pool does in the chaos build.
func OfPanic(says string) Verdict {
	if strings.Contains(says, ": stale use: ") {
		return StaleUse
	}
	return Panicked
}
