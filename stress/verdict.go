package stress

// A Verdict is the class of what the oracles say about an execution.
type Verdict string

// The verdicts. A scenario names the one that it expects.
const (
	Pass          Verdict = "pass"
	LostWakeup    Verdict = "lost-wakeup"    // work or a set latch, and who should have been woken sleeps
	Deadlock      Verdict = "deadlock"       // all are blocked, and no missing wakeup explains it
	LostTask      Verdict = "lost-task"      // a job never ran
	DuplicateTask Verdict = "duplicate-task" // a job ran more than once
	WrongResult   Verdict = "wrong-result"   // the answer is not the sequential one
	Invariant     Verdict = "invariant"      // a counter left the bounds of its invariant
	Leak          Verdict = "leak"           // a goroutine outlived the pool
	Panicked      Verdict = "panic"          // something panicked that was not to
	DataRace      Verdict = "data-race"      // the race detector spoke
	Timeout       Verdict = "timeout"        // not finished in time, yet not stuck
	NeverReached  Verdict = "never-reached"  // a fault of the plan never fired: nothing was tested
)

// Verdicts lists the verdicts in the order of their declaration.
func Verdicts() []Verdict {
	return []Verdict{Pass, LostWakeup, Deadlock, LostTask, DuplicateTask, WrongResult, Invariant,
		Leak, Panicked, DataRace, Timeout, NeverReached}
}
