package stress

import "github.com/rouse-go/rouse/chaos/verdict"

// A Verdict is the class of what the oracles say about an execution.
type Verdict = verdict.Verdict

// The verdicts, as package verdict has them. A scenario names the one that it
// expects.
const (
	Pass            = verdict.Pass
	LostWakeup      = verdict.LostWakeup
	Deadlock        = verdict.Deadlock
	LostParallelism = verdict.LostParallelism
	Livelock        = verdict.Livelock
	Spin            = verdict.Spin
	NeverSleeps     = verdict.NeverSleeps
	LostTask        = verdict.LostTask
	DuplicateTask   = verdict.DuplicateTask
	WrongResult     = verdict.WrongResult
	Invariant       = verdict.Invariant
	StaleUse        = verdict.StaleUse
	MemoryGrowth    = verdict.MemoryGrowth
	Leak            = verdict.Leak
	Panicked        = verdict.Panicked
	DataRace        = verdict.DataRace
	ReliesOnSC      = verdict.ReliesOnSC
	Timeout         = verdict.Timeout
	NeverReached    = verdict.NeverReached
	Nondeterminism  = verdict.Nondeterminism
	Uncontrolled    = verdict.Uncontrolled
)

// Verdicts lists the verdicts in the order of their declaration.
func Verdicts() []Verdict { return verdict.All() }
