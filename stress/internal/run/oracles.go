package run

import (
	"github.com/rouse-go/rouse/chaos/verdict"
)

// An Oracle is one of those that judge an execution.
type Oracle struct {
	Verdict verdict.Verdict // what it convicts of
	Sees    string          // what it looks at, and when it convicts
	// Modes are those in which it judges: "native", "control" or "both".
	Modes string
	// Control is a scenario of the default campaign, or a test of this module, in which a
	// planted defect is seen by this oracle.
	Control string
}

// Oracles lists them, one for each verdict but Pass, in the order of the verdicts. Those that wait
// judge by progress, and not by the clock alone: see native.Watch.
func Oracles() []Oracle {
	return []Oracle{
		{verdict.LostWakeup, "all stand still, and a worker sleeps on a set latch or beside an injected job or a broadcast; or an outsider was not told", "both", "dropped-job-notification"},
		{verdict.Deadlock, "all stand still, and no missing notification explains it", "both", "TestOracleSeesDeadlock"},
		{verdict.LostParallelism, "all stand still, and what nobody has begun is in the deque of a worker in user code while others sleep", "both", "local-queue-meetings"},
		{verdict.Livelock, "all who run repeat themselves", "control", "TestOraclesUnderControl"},
		{verdict.Spin, "all workers sleep, and the process uses a processor, or a goroutine is ready in each look, for a tenth of a second of processor time", "both", "sleepers-spin"},
		{verdict.NeverSleeps, "nothing is to be done, and all who are awake have searched a thousand times in vain since anybody last fell asleep", "native", "workers-never-sleep"},
		{verdict.LostTask, "all is over, and a job has not run", "both", "TestNativeOraclesSeeMutants"},
		{verdict.DuplicateTask, "a job has run more than once", "both", "TestNativeOraclesSeeMutants"},
		{verdict.WrongResult, "an answer, or an error, is not the sequential one", "both", "TestOracleSeesWrongResult"},
		{verdict.Invariant, "sleeping <= inactive <= workers, looked at by each job; a pool at rest or closed has nothing queued, all asleep or ended, no reference; in a hang, the counter of sleepers says who sleeps", "both", "TestNativeOraclesSeeMutants"},
		{verdict.StaleUse, "a frame of a join with its latch, a task of the injector or a loop is touched while it is free; both sides are named", "both", "TestNativeOraclesSeeMutants"},
		{verdict.MemoryGrowth, "over the later half of a process's executions, the heap after garbage collections, or the goroutines, rise in 95 of 100 pairs of samples, by 256 KiB or 8", "native", "TestOracleSeesMemoryGrowth"},
		{verdict.Leak, "a goroutine is left that does not run (goleak; the runtime's goroutine-leak profile is quoted where the binary has it)", "both", "TestOracleSeesLeak"},
		{verdict.Panicked, "something panics that was not to", "both", "TestOracleSeesPanic"},
		{verdict.DataRace, "the race detector speaks, in a binary built with it", "native", "TestScenarioVerdicts"},
		{verdict.ReliesOnSC, "wrong under a declared, weaker memory", "control", "TestReliesOnSC"},
		{verdict.Timeout, "not done in 20 s in which it was served, yet not stuck; or the process does not say any more that it lives", "native", "TestOracleSeesTimeout"},
		{verdict.NeverReached, "a fault of the plan has never fired", "both", "TestScenarioVerdicts"},
		{verdict.Nondeterminism, "the same decisions led elsewhere", "control", "TestDivergenceIsNondeterminism"},
		{verdict.Uncontrolled, "a goroutine that is no task passes a hook, or something that no hook shows wakes a task", "control", "TestOutsidersAreNamed"},
	}
}
