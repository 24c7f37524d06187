package report

import (
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

// A Report is what a campaign came to.
type Report struct {
	Seed      uint64
	Scenarios []ScenarioReport // those that were run, in order
	Duration  time.Duration
	// Interrupted says that the campaign was ended before its time: Scenarios
	// holds what was done until then, the last one perhaps in part.
	Interrupted bool
	// Trouble says why the tool itself could not go on, or has not written all that it was to write;
	// "" if it had no trouble. Scenarios holds what was done until then.
	Trouble string
	Shard   scenario.Shard // the part of the campaign that it is of
	// Samples are what the campaign had done and held over its time, in order; none if it is
	// merged of shards.
	Samples []Sample
}

// AsExpected reports whether every scenario that was not interrupted came to the
// verdict that it expects, or is open. Of a campaign that was cut short that says little.
func (r *Report) AsExpected() bool {
	return r.Failed() == 0
}

// Failed counts the scenarios that did not come to the verdict they expect.
func (r *Report) Failed() (n int) {
	for _, s := range r.Scenarios {
		if s.Failed() {
			n++
		}
	}
	return n
}

func (s *ScenarioReport) Failed() bool { return !s.AsExpected && !s.Interrupted && !s.Open }

// open counts the scenarios that are.
func (r *Report) Open() (n int) {
	for _, s := range r.Scenarios {
		if s.Open {
			n++
		}
	}
	return n
}

// A ScenarioReport is what the executions of one scenario came to.
type ScenarioReport struct {
	Name       string
	Variant    string          // that the scenario, or With, names; "" is none
	Verdict    verdict.Verdict // of the scenario as a whole; "" if Interrupted
	Expect     verdict.Verdict
	May        []verdict.Verdict // as good as Expect
	Why        string            // it is expected, where the scenario says so
	AsExpected bool
	// Open says that nothing failed that was not to, and that the verdict is not decided: by
	// chance a fault has not fired yet, a control was cut short before it was detected, or the
	// other shards of the campaign decide.
	Open bool
	// Detail says in one line why the verdict is what it is, where no execution
	// says it: which fault never fired, that nothing was detected.
	Detail     string
	Mode       scenario.Mode
	Executions int    // that came to an end
	Budget     int    // what the scenario may take of them; 0 is any number
	Steps      uint64 // under control: decisions over all executions
	// Timers is how many the subject has armed, under control, over all executions; 0 with the
	// racy clock. None fired while a task could go on: timeouts were not explored.
	Timers   uint64
	Complete bool                 // under control: the strategy has explored all there is
	Bounded  string               // under control: what it has left out, if it has explored the rest
	Points   []outcome.PointCount // visits over all executions, by name
	Faults   []outcome.FaultCount // over all executions, in the order of the plan
	// Odds says of each fault that has not fired how probable that was, 1 if no draw decided
	// about it; 0 for one that has fired. nil if all have.
	Odds     []float64
	Duration time.Duration // time it took, starts of processes included
	// Took counts the executions by how long they took; not those that did not live to say.
	Took outcome.Latencies
	// Failure is the execution that failed last, expected or not; nil if none did.
	Failure *outcome.Result
	// Recording is where it was written; "" if it was not.
	Recording string
	// Beside are files beside the recording that tell of a hang or a crash: see GoroutinesEnding.
	Beside []string
	// Shrunk is where a shorter recording of the same was written, of a controlled
	// scenario; "" if there is none.
	Shrunk string
	// Interrupted says that the campaign was ended in the middle of it, and no
	// failure had decided its verdict before.
	Interrupted bool
}

// An Observer is told about a campaign while it runs. Its methods are called by
// one goroutine, and the campaign waits for them.
type Observer interface {
	// Began is called before anything runs.
	Began(Campaign)
	// Progressed is called a few times a second.
	Progressed(Progress)
	// ScenarioDone is called after each scenario; the recording of a failure is
	// already on disk.
	ScenarioDone(ScenarioReport)
	// Ended is called last, also after an interruption.
	Ended(Report)
}

// A Campaign describes what is about to run.
type Campaign struct {
	Seed       uint64
	Scenarios  int
	For        time.Duration // 0 if Executions bounds the campaign
	Executions int           // of each scenario; 0 if For bounds the campaign
	Build      outcome.Build
	Resumed    *Resumed // nil if it begins
	Shard      scenario.Shard
	Setup      string // a hash of all that the scenarios say
	Merged     int    // shards that it is merged of; 0 if it is not
}

// A Resumed says where a campaign goes on. What was done before counts as if it had
// never stopped, and Observers are told of it again.
type Resumed struct {
	Journal  string        // path of the file
	Elapsed  time.Duration // until it was stopped
	Done     int           // scenarios
	Finished bool          // nothing is left to do
	// Scenario is the one that was under way, "" if none was, and Executions how many of its
	// executions are done. Again are the numbers of those that had begun when it was
	// stopped, which are run again; if Batches is set, the first ones of batches.
	Scenario   string
	Executions int
	Again      []int
	Batches    bool
}

// Progress is how far a campaign has come.
type Progress struct {
	Scenario   string
	Index      int // from 0
	Scenarios  int
	Executions int           // of this scenario, so far
	Elapsed    time.Duration // since the campaign began
	// ScenarioElapsed is since this scenario began; Left about what the campaign will yet
	// take, 0 if nobody knows.
	ScenarioElapsed, Left time.Duration
	Failed                int                  // scenarios, of those that are done
	Faults                []outcome.FaultCount // of this scenario, so far; not to be changed
}
