package run

import (
	"bytes"
	"cmp"
	"fmt"
	"runtime/trace"
	"slices"
	"strings"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// executionTimeout is the time after which a native execution that is neither done nor stuck is given up.
const executionTimeout = 20 * time.Second

// A Runner runs executions of scenarios about Subjects in this process.
type Runner struct {
	Subjects []subject.Subject
	Timeout  time.Duration // limit of a native execution; 0 is 20 s

	debugged bool // controlled executions stop for a debugger
}

// subject returns the subject and the workload of a scenario that the loader has checked.
func (r *Runner) subject(sc *scenario.Scenario) (*subject.Subject, *subject.Workload) {
	for i := range r.Subjects {
		if s := &r.Subjects[i]; s.Name == sc.Subject {
			if w, ok := s.Workload(sc.Workload); ok {
				return s, w
			}
		}
	}
	panic(fmt.Sprintf("stress: scenario %s: no workload %q of a subject %q in this program", sc.Name, sc.Workload, sc.Subject))
}

// Execute runs execution n of the scenario and judges it. It never hangs. If the execution has not
// ended, its goroutines are left, and the process must not run another execution.
func (r *Runner) Execute(sc *scenario.Scenario, campaignSeed uint64, n int, alive func()) outcome.Result {
	if sc.Mode == scenario.Control {
		return r.executeControlled(sc, campaignSeed, n)
	}
	s, w := r.subject(sc)
	seed := subject.Seed(campaignSeed, sc.Name, n)
	x := w.Execution(sc.Values(s, n), seed)
	result := outcome.Result{Execution: n, Seed: seed, Setting: sc.Setting(n)}

	timeout := cmp.Or(r.Timeout, executionTimeout)
	start := time.Now()
	others := goleak.IgnoreCurrent()
	run, err := native.Execute(chaos.Plan{Seed: seed, Faults: sc.Plan}, x.Run, native.WithTimeout(timeout), native.WithHeartbeat(alive))
	if err != nil {
		panic(fmt.Sprintf("stress: scenario %s: %v", sc.Name, err)) // the loader has checked it
	}
	if run.Kind == native.Finished {
		x.JudgeFaults(faultsOf(run.Counts.Faults))
		judge(&result, slices.Concat(x.Findings(), leaked(others)))
	} else {
		diagnose(&result, x, run, timeout)
	}
	result.Points, result.Faults = run.Counts.Points, run.Counts.Faults
	if result.Verdict != verdict.Pass {
		result.State = x.State()
		result.Events = native.Timeline(run.Events)
	}
	if run.Kind != native.Finished {
		if blocked := blockedForever(); blocked != "" {
			result.Explanation = append(result.Explanation, blocked)
		}
	}
	result.Duration = time.Since(start)
	return result
}

// judge judges an execution that has ended. The gravest finding becomes the verdict, the others
// explain it.
func judge(r *outcome.Result, found []subject.Finding) {
	r.Verdict = verdict.Pass
	if len(found) == 0 {
		return
	}
	found = byGravity(found)
	r.Verdict = found[0].Verdict
	summary, rest, _ := strings.Cut(found[0].Summary, "\n")
	r.Summary = summary
	if rest != "" {
		r.Explanation = strings.Split(strings.TrimRight(rest, "\n"), "\n")
	}
	for _, f := range found[1:min(len(found), 20)] {
		r.Explanation = append(r.Explanation, fmt.Sprintf("also %s: %s", f.Verdict, firstLine(f.Summary)))
	}
}

// byGravity returns the findings with the gravest first.
func byGravity(found []subject.Finding) []subject.Finding {
	return slices.SortedStableFunc(slices.Values(found), func(a, b subject.Finding) int { return gravity(a.Verdict) - gravity(b.Verdict) })
}

// gravity orders findings: causes come before their consequences.
func gravity(v verdict.Verdict) int {
	return slices.Index([]verdict.Verdict{verdict.StaleUse, verdict.Panicked, verdict.DuplicateTask, verdict.LostTask, verdict.WrongResult, verdict.Invariant, verdict.NeverSleeps, verdict.Spin, verdict.Leak, verdict.MemoryGrowth}, v)
}

// diagnose judges an execution that is stuck.
func diagnose(r *outcome.Result, x *subject.Execution, run native.Result, timeout time.Duration) {
	r.Goroutines = run.Goroutines
	d := x.Diagnose(subject.Stuck{Faults: faultsOf(run.Counts.Faults), TimedOut: run.Kind == native.TimedOut})
	if d == nil {
		d = &subject.Diagnosis{Verdict: verdict.Deadlock, Summary: subject.Unexplained}
	}
	r.Verdict, r.Summary, r.Explanation = d.Verdict, d.Summary, nativeTimeline(run.Events).explain(d, run.Counts.Faults, explain.Wakeup{})
	if run.Kind == native.TimedOut && d.Verdict == verdict.Deadlock {
		r.Verdict = verdict.Timeout
		r.Summary = fmt.Sprintf("not done after %v, though a goroutine still runs", timeout)
	}
}

// faultsOf converts the counts for a subject.
func faultsOf(counts []outcome.FaultCount) (all []subject.Fired) {
	for _, c := range counts {
		all = append(all, subject.Fired{Point: c.At, Kind: c.Kind, Fires: c.Fires})
	}
	return all
}

// PlannedFaults returns counts of zero for the faults of the scenario's plan.
func PlannedFaults(sc *scenario.Scenario) (all []outcome.FaultCount) {
	for _, f := range sc.Plan {
		all = append(all, outcome.FaultCount{At: f.At, Kind: f.Kind.String()})
	}
	return all
}

// An inspection is what the subject of a stuck execution reports of itself.
type inspection struct {
	state     string
	diagnosis *subject.Diagnosis // nil if the subject has none
}

const (
	// defaultLookTime is how long the inspection of a stuck subject may take.
	defaultLookTime = 2 * time.Second
	// lockLooks is how often in a row, a millisecond apart, an inspection must be seen waiting for a lock
	// to be given up. Only stuck tasks can hold a lock for so long.
	lockLooks = 20
)

// inspect calls look, and gives up if look waits for a lock that a stuck task may hold.
func inspect(limit time.Duration, look func() *inspection) *inspection {
	seen, id := make(chan *inspection, 1), make(chan uint64, 1)
	go func() {
		id <- goroutines.Own().ID
		seen <- look()
	}()
	own, late, ticker := <-id, time.After(limit), time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for waits := 0; waits < lockLooks; {
		select {
		case i := <-seen:
			return i
		case <-late:
			waits = lockLooks
		case <-ticker.C:
			waits++
			if !waitsForLock(own) {
				waits = 0
			}
		}
	}
	return &inspection{state: "the subject could not be inspected: a stuck task holds a lock"}
}

// waitsForLock reports whether a goroutine waits for a Mutex or an RWMutex.
func waitsForLock(id uint64) bool {
	text, _ := goroutines.Dump()
	return slices.ContainsFunc(goroutines.Parse(text), func(g goroutines.Goroutine) bool { return g.ID == id && g.WaitsForLock() })
}

// Approximate limits of a flight recording.
const (
	flightAge   = 2 * time.Second
	flightBytes = 4 << 20
)

// A flight records the process's execution trace, for go tool trace, and keeps the end of it: what led
// to a hang.
type flight struct{ recorder *trace.FlightRecorder }

// startFlight begins a recording. It returns nil if that fails: a process has one at a time.
func startFlight() *flight {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: flightAge, MaxBytes: flightBytes})
	if r.Start() != nil {
		return nil
	}
	return &flight{r}
}

// trace returns the end of the recording, or nil if there is none.
func (f *flight) trace() []byte {
	if f == nil {
		return nil
	}
	var b bytes.Buffer
	if _, err := f.recorder.WriteTo(&b); err != nil {
		return nil
	}
	return b.Bytes()
}

// stop ends the recording.
func (f *flight) stop() {
	if f != nil {
		f.recorder.Stop()
	}
}
