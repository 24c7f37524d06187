package run

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/stress/subject"
)

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

// The oracle for goroutines that outlive their execution.

// leakLooks is how many attempts of goleak, half a second each, goroutines get that could run but that
// a busy machine does not schedule.
const leakLooks = 40

var couldRun = regexp.MustCompile(`Goroutine \d+ in state (running|runnable),`)

// leaked returns a finding if there are goroutines that did not exist before.
func leaked(before goleak.Option) []subject.Finding {
	err := find(before)
	for i := 1; i < leakLooks && err != nil && couldRun.MatchString(err.Error()); i++ {
		err = find(before)
	}
	if err == nil {
		return nil
	}
	summary := "goroutines outlived the execution: " + err.Error()
	if blocked := blockedForever(); blocked != "" {
		summary = strings.TrimRight(summary, "\n") + "\n" + blocked
	}
	return []subject.Finding{{Verdict: verdict.Leak, Summary: summary}}
}

// deepLooks is how many attempts, 100 ms each, a goroutine gets whose stack is too deep for goleak.
const deepLooks = 20

// find is like goleak.Find, which panics at a stack of more than a hundred frames, because the runtime elides some.
// Such a stack is a deep recursion that is about to end, or one that has leaked.
func find(before goleak.Option) (err error) {
	look := func() (deep bool) {
		defer func() {
			if deep = recover() != nil; deep {
				err = errors.New("one of these, too deep for goleak:\n" + others())
			}
		}()
		err = goleak.Find(before)
		return false
	}
	for i := 1; look() && i < deepLooks; i++ {
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// others lists the goroutines besides the caller, and where each is.
func others() string {
	var b strings.Builder
	text, _ := goroutines.Dump()
	for _, g := range goroutines.Parse(text)[1:] {
		fmt.Fprintf(&b, "goroutine %d [%s] in %s\n", g.ID, g.State, g.Place())
	}
	return b.String()
}

const leakProfile = "goroutineleak"

var leakTotal = regexp.MustCompile(`^goroutineleak profile: total (\d+)`)

// blockedForever returns the total of the runtime's goroutine-leak profile, as a line of an explanation, or
// "" if the binary has no such profile. It takes a garbage collection.
func blockedForever() string {
	p := pprof.Lookup(leakProfile)
	if p == nil {
		return ""
	}
	var b bytes.Buffer
	if p.WriteTo(&b, 1) != nil {
		return ""
	}
	total := leakTotal.FindSubmatch(b.Bytes())
	if total == nil {
		return ""
	}
	return fmt.Sprintf("runtime       by its goroutine-leak profile, nothing can wake %s of the process any more", total[1])
}

// The oracle for memory that grows from execution to execution. It needs a process that runs many, because each
// leaves little behind.

const (
	// growthEvery is the number of executions between samples, whose garbage collections take some
	// hundredths of the time.
	growthEvery = 8
	// growthSamples is the least number of samples in the later half, which is judged; the earlier half is
	// warm-up. At mostGrowth samples every other one is dropped.
	growthSamples, mostGrowth = 12, 96
	// growthRising is the share of pairs of samples in which the later one must be larger: of random orders
	// of 12 samples, one in a million has it.
	growthRising = 0.95
	// growthBytes, or growthGoroutines, must have accumulated over the judged samples: more than the caches
	// of the runtime and of the oracles, which also grow for a while.
	growthBytes, growthGoroutines = 256 << 10, 8
)

// A growth follows the memory and the goroutines of a process.
type growth struct {
	samples []growthSample
	every   int // executions between two samples; 0 is growthEvery
	since   int // executions since the last sample
}

// A growthSample holds the heap and the goroutines of a process after an execution and a garbage collection.
type growthSample struct {
	execution        int
	heap, goroutines float64
}

// due reports whether a sample must be taken after this execution.
func (g *growth) due() bool {
	if g.every == 0 {
		g.every = growthEvery
	}
	if g.since++; g.since < g.every {
		return false
	}
	g.since = 0
	return true
}

// sample takes a sample.
func (g *growth) sample(execution int) {
	runtime.GC()
	runtime.GC() // frees what the first one left in a sync.Pool or for a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	g.add(growthSample{execution, float64(m.HeapAlloc), float64(runtime.NumGoroutine())})
}

func (g *growth) add(s growthSample) {
	if g.samples = append(g.samples, s); len(g.samples) < mostGrowth {
		return
	}
	for i := range mostGrowth / 2 {
		g.samples[i] = g.samples[2*i+1]
	}
	g.samples = g.samples[:mostGrowth/2]
	g.every *= 2
}

// finding returns a finding if the process grows, and nil otherwise.
func (g *growth) finding() *subject.Finding {
	late := g.samples[len(g.samples)/2:]
	if len(late) < growthSamples {
		return nil
	}
	first, last := late[0].execution, late[len(late)-1].execution
	if by, ok := rises(late, func(s growthSample) float64 { return s.goroutines }); ok && by*float64(last-first) >= growthGoroutines {
		return &subject.Finding{Verdict: verdict.MemoryGrowth, Summary: fmt.Sprintf("the number of goroutines grows, by %.2g with each execution: %.0f after execution %d, %.0f after execution %d",
			by, late[0].goroutines, first, late[len(late)-1].goroutines, last)}
	}
	if by, ok := rises(late, func(s growthSample) float64 { return s.heap }); ok && by*float64(last-first) >= growthBytes {
		return &subject.Finding{Verdict: verdict.MemoryGrowth, Summary: fmt.Sprintf("the heap grows, by %.0f bytes with each execution: %.0f KiB after execution %d, %.0f KiB after execution %d, after garbage collections",
			by, late[0].heap/1024, first, late[len(late)-1].heap/1024, last)}
	}
	return nil
}

// rises reports whether the samples rise, and by how much with each execution: the median of the
// slopes of all pairs (Theil and Sen), which outliers do not move.
func rises(samples []growthSample, of func(growthSample) float64) (by float64, ok bool) {
	var slopes []float64
	rising := 0
	for i, a := range samples {
		for _, b := range samples[i+1:] {
			slope := (of(b) - of(a)) / math.Max(1, float64(b.execution-a.execution))
			if slope > 0 {
				rising++
			}
			slopes = append(slopes, slope)
		}
	}
	slices.Sort(slopes)
	return slopes[len(slopes)/2], float64(rising) >= growthRising*float64(len(slopes))
}
