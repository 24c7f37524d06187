package report

import (
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

// A Report is the result of a campaign.
type Report struct {
	Campaign  Campaign
	Scenarios []ScenarioReport // the scenarios that were run, in order
	Duration  time.Duration
	// Interrupted means that the campaign was stopped early. Scenarios holds the results until then,
	// perhaps only a part for the last one.
	Interrupted bool
	// Trouble is why the tool itself failed: it could not continue, or could not write all its
	// output. "" if it did not. Scenarios holds the results until then.
	Trouble string
	// Samples are in the order of time; none if the report is merged from shards.
	Samples []Sample
}

// AsExpected reports whether every scenario that was not interrupted has an expected verdict, or
// is open. It does not cover scenarios that an interrupted campaign did not run.
func (r *Report) AsExpected() bool {
	return r.Failed() == 0
}

// Failed counts the scenarios that failed.
func (r *Report) Failed() int { return count(r.Scenarios, (*ScenarioReport).Failed) }

// Failed reports whether the scenario has a verdict that is not expected.
func (s *ScenarioReport) Failed() bool { return !s.AsExpected && !s.Interrupted && !s.Open }

// Open counts the scenarios that are open.
func (r *Report) Open() int {
	return count(r.Scenarios, func(s *ScenarioReport) bool { return s.Open })
}

// A ScenarioReport is the result of one scenario.
type ScenarioReport struct {
	Index      int `json:",omitempty"` // in the order of the campaign, from 0
	Name       string
	Variant    string          // the variant that the scenario ran with; "" is none
	Verdict    verdict.Verdict // of the scenario as a whole; "" if Interrupted
	Expect     verdict.Verdict
	May        []verdict.Verdict // as good as Expect
	Why        string            // Expect is expected; "" if the scenario gives no reason
	AsExpected bool
	// Open means that nothing failed unexpectedly, but the verdict is undecided: by chance a fault has
	// not fired yet, a control was stopped before it was detected, or the other shards decide.
	Open bool
	// Detail is the reason for the verdict, in one line, if no execution is the reason: which fault
	// never fired, or that nothing was detected.
	Detail     string
	Mode       scenario.Mode
	Executions int    // executions that ended
	Budget     int    // the most executions of the scenario; 0 is any number
	Steps      uint64 // under control: decisions over all executions
	// Timers is how many timers the subject has armed, under control, over all executions; 0 with
	// the racy clock. None fired while a task could run: timeouts were not explored.
	Timers   uint64
	Complete bool                 // under control: the strategy has explored every schedule
	Bounded  string               // under control: the bound within which it has explored every schedule
	Points   []outcome.PointCount // visits over all executions, by name
	Faults   []outcome.FaultCount // over all executions, in the order of the plan
	// Odds holds, for each fault that has not fired, the probability of that: 1 if no draw decided it.
	// It is 0 for a fault that has fired, and nil if all have.
	Odds     []float64
	Duration time.Duration // time it took, starts of processes included
	// Took counts the executions by their duration, without those whose process died.
	Took outcome.Latencies
	// Failure is the execution that failed last, expected or not; nil if none did.
	Failure *outcome.Result
	// Recording is the path of its recording; "" if it was not written.
	Recording string
	// Sidecars are files about a hang or a crash, in the folder of the recording: see
	// outcome.GoroutinesEnding.
	Sidecars []string
	// Shrunk is the path of a shorter recording of the same failure, in a controlled
	// scenario; "" if there is none.
	Shrunk string
	// Search is the search under control for a native failure; nil if there was none.
	Search   *outcome.Search `json:",omitempty"`
	PageFile `json:"-"`
	// Interrupted means that the campaign was stopped during this scenario, before a failure had
	// decided its verdict.
	Interrupted bool
	// Orders counts the partial orders of a controlled scenario. It is nil if the strategy is exhaustive,
	// or the report is merged from shards.
	Orders *orders.Summary `json:",omitempty"`
	// Evidence is the evidence of a controlled scenario that passed; nil for others.
	Evidence *evidence.Evidence `json:",omitempty"`
}

// Title returns the name of the scenario with its variant.
func (s *ScenarioReport) Title() string { return scenario.Title(s.Name, s.Variant) }

// A Campaign describes what is about to run.
type Campaign struct {
	Seed       uint64
	Scenarios  int
	For        time.Duration // 0 if Executions bounds the campaign
	Executions int           // of each scenario; 0 if For bounds the campaign
	Build      outcome.Build
	Resumed    *Resumed // nil for a new campaign
	Shard      scenario.Shard
	Setup      string // a hash of the scenarios
	Merged     int    // number of shards that it is merged from; 0 if it is not
}

// A Resumed describes where a campaign resumes. Earlier results count as if it had never stopped, and
// Observers get them again.
type Resumed struct {
	Journal  string        // path of the file
	Elapsed  time.Duration // until it was stopped
	Done     int           // scenarios
	Finished bool          // nothing is left to do
	// Scenario is the scenario that was in progress, "" if none was, and Executions is how many of its
	// executions have ended. Again holds the numbers of executions that were in progress, which run
	// again; if Batches is set, the first numbers of batches.
	Scenario   string
	Executions int
	Again      []int
	Batches    bool
}
