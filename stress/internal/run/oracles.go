package run

import "github.com/rouse-go/rouse/chaos/verdict"

// An Oracle describes an oracle that judges executions.
type Oracle struct {
	Verdict verdict.Verdict // what it reports
	Sees    string          // what it observes, and when it reports
	Modes   string          // in which it judges: "native", "control" or "both"
	// Control is a scenario of the default campaign, or a test of this module, in which this oracle
	// detects a planted defect.
	Control string
}

// Oracles lists the oracles, one for each verdict but Pass, in the order of the verdicts. Oracles that wait
// judge by progress, not by the clock alone: see native.Watch.
func Oracles() []Oracle {
	return []Oracle{
		{verdict.LostWakeup, "nothing runs, and a worker sleeps although its latch is set, or a job is injected, or a broadcast waits for it; or an outsider was not notified", "both", "dropped-job-notification"},
		{verdict.Deadlock, "nothing runs, and no missing notification explains it", "both", "TestOracleSeesDeadlock"},
		{verdict.LostParallelism, "nothing runs, and jobs that have not begun are in the deque of a worker in user code while others sleep", "both", "local-queue-meetings"},
		{verdict.Livelock, "all tasks that run repeat themselves", "control", "TestOraclesUnderControl"},
		{verdict.Spin, "all workers sleep, and the process uses a processor, or a goroutine is ready at each check, for a tenth of a second of processor time", "both", "sleepers-spin"},
		{verdict.NeverSleeps, "there is no work, and each worker that is awake has made a thousand failed searches since a worker last fell asleep", "native", "workers-never-sleep"},
		{verdict.LostTask, "the execution has ended, and a job has not run", "both", "TestNativeOraclesSeeMutants"},
		{verdict.DuplicateTask, "a job has run more than once", "both", "TestNativeOraclesSeeMutants"},
		{verdict.WrongResult, "an answer, or an error, is not the sequential one", "both", "TestOracleSeesWrongResult"},
		{verdict.Invariant, "sleeping <= inactive <= workers, checked by each job; a pool at rest or closed has nothing queued, all asleep or ended, no reference; in a hang, the counter of sleepers is the number of workers that sleep", "both", "TestNativeOraclesSeeMutants"},
		{verdict.StaleUse, "a frame of a join with its latch, a task of the injector or a loop is touched while it is free; both sides are named", "both", "TestNativeOraclesSeeMutants"},
		{verdict.MemoryGrowth, "over the later half of a process's executions, the heap after garbage collections, or the goroutines, rise in 95 of 100 pairs of samples, by 256 KiB or 8", "native", "TestOracleSeesMemoryGrowth"},
		{verdict.Leak, "a goroutine is left that does not run (goleak; the runtime's goroutine-leak profile is quoted where the binary has it)", "both", "TestOracleSeesLeak"},
		{verdict.Panicked, "an unexpected panic", "both", "TestOracleSeesPanic"},
		{verdict.DataRace, "the race detector reports, in a binary built with it", "native", "TestScenarioVerdicts"},
		{verdict.ReliesOnSC, "wrong under a declared, weaker memory", "control", "TestReliesOnSC"},
		{verdict.Timeout, "not done in 20 s in which it was scheduled, yet not stuck; or the process has stopped sending signs of life", "native", "TestOracleSeesTimeout"},
		{verdict.NeverReached, "a fault of the plan has never fired", "both", "TestScenarioVerdicts"},
		{verdict.Nondeterminism, "the same decisions led elsewhere", "control", "TestDivergenceIsNondeterminism"},
		{verdict.Uncontrolled, "a goroutine that is no task passes a hook, or something that no hook shows wakes a task", "control", "TestOutsidersAreNamed"},
	}
}
