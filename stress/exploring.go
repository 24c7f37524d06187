package stress

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// An exploreRequest asks a child for batches of a controlled scenario: every Stride-th,
// from First on.
type exploreRequest struct {
	First, Stride int
	// To bounds the executions by number; 0 is no bound.
	To int
	// Careful: each execution is announced, in case that one of them takes the process
	// with it. The child runs one batch then.
	Careful bool
	// Done are batches that need not run: the journal has them.
	Done []int
}

// A batchReport is the outcome of a batch; if the time is up, or it is still running, of a part of it.
type batchReport struct {
	Batch      int
	Next       int // execution after the last one that ran
	Executions int
	Steps      uint64
	Timers     uint64       `json:",omitempty"` // armed by the subject; 0 with the racy clock
	Faults     []FaultCount // in the order of the plan
	Took       Latencies    `json:",omitzero"`
	Complete   bool         // the strategy has nothing left to explore
	Bounded    string       `json:",omitempty"` // what it has left out then; "" is nothing
	Failure    *failure     // that ended it; nil if it passed
}

// A failure is an execution under control that was convicted.
type failure struct {
	Result   Result
	Schedule string // its recording; "" if it took the process with it
	// Gone says which entries of a recording that was repeated did not apply, and why.
	Gone []string
}

// announceTime is how often a child says that it is alive, so that the parent does not
// think otherwise of a batch that takes its time.
const announceTime = time.Second

// An execution is cut when it has taken slotsWithin times what the scenario may take of the
// campaign's time, and no less than leastWithin: a busy machine is no livelock.
const (
	slotsWithin = 10
	leastWithin = 10 * time.Second
)

// explore runs batches until the time is up, all that was asked for is done, or an
// execution is convicted.
func (r *request) explore(send func(message), began func(sc *Scenario, n int)) error {
	e, err := newExplorer(&r.Scenario, r.CampaignSeed)
	if err != nil {
		return err
	}
	defer e.close()
	if r.For > 0 {
		e.engine.SetWithin(max(leastWithin, slotsWithin*r.For))
	}
	e.began = began
	var deadline time.Time
	if r.For > 0 {
		deadline = time.Now().Add(r.For)
	}
	for b := r.Explore.First; ; b += r.Explore.Stride {
		if slices.Contains(r.Explore.Done, b) {
			continue
		}
		report, ended := r.batch(e, b, deadline, send)
		if report.Executions > 0 || report.Complete {
			send(message{Batch: &report})
		}
		if f := report.Failure; f != nil {
			send(message{Explained: e.explained(f.Result, mustParse(f.Schedule))})
		}
		if ended || r.Explore.Careful {
			return nil
		}
	}
}

// batch runs one batch. It reports true if no batch is to follow.
func (r *request) batch(e *explorer, b int, deadline time.Time, send func(message)) (report batchReport, ended bool) {
	from, to := b*batchSize, (b+1)*batchSize
	report = batchReport{Batch: b, Next: from, Faults: newTally(&r.Scenario).faults}
	if e.series.exhaustive {
		to = math.MaxInt
	}
	if most := r.Explore.To; most > 0 && most <= to {
		to, ended = most, true
	}
	var announced time.Time
	for n := from; n < to; n++ {
		now := time.Now()
		if !deadline.IsZero() && now.After(deadline) && n >= r.Least {
			return report, true
		}
		if n == from || r.Explore.Careful || now.Sub(announced) > announceTime {
			announced = now
			if report.Executions > 0 {
				send(message{Progress: &report})
			}
			send(message{Begin: &begin{n, e.seed(n), r.Scenario.Pool.sizeOf(n)}})
		}
		report.Next = n + 1
		e.began(&r.Scenario, n)
		result, found, more := e.run(n)
		if more {
			report.Took.Add(time.Since(now))
		}
		if !more {
			if e.series.done() {
				report.Complete, report.Bounded = true, e.series.bounded()
				return report, true
			}
			continue
		}
		report.count(&result)
		if r.Scenario.Clock == control.Lazy {
			report.Timers += uint64(result.Timers)
		}
		if found.verdict == Pass && n%guardEvery == 0 {
			found, result = e.guard(n, result)
		}
		if found.verdict != Pass {
			report.Failure = e.failed(n, result, found)
			return report, true
		}
	}
	return report, ended
}

// count takes in an execution.
func (b *batchReport) count(r *control.Result) {
	b.Executions++
	b.Steps += uint64(r.Steps)
	for i, c := range r.Faults {
		b.Faults[i].Hits += uint64(c.Hits)
		b.Faults[i].Skipped += uint64(c.Skipped)
		b.Faults[i].Fires += uint64(c.Fires)
		b.Faults[i].Expired += uint64(c.Expired)
	}
}

// guard repeats execution n, which was the last, and compares.
func (e *explorer) guard(n int, r control.Result) (finding, control.Result) {
	r.Schedule = r.Schedule.Clone()
	again, unused := e.engine.Repeat(r.Schedule, e.body(n, e.seed(n)))
	if again.Hash == r.Hash && unused.Len() == 0 {
		return finding{Pass, ""}, r
	}
	if again.Verdict == Uncontrolled {
		return finding{Uncontrolled, again.Summary}, r
	}
	return finding{Nondeterminism, fmt.Sprintf(
		"the same decisions led to the trace %016x, then to %016x, and %d of them did not apply: something that the engine cannot see decides",
		r.Hash, again.Hash, unused.Len())}, r
}

// failed is the failure of execution n, which was the last, without its story.
func (e *explorer) failed(n int, r control.Result, found finding) *failure {
	result := Result{
		Execution: n, Seed: e.seed(n), Workers: e.scenario.Pool.sizeOf(n),
		Verdict: found.verdict, Summary: firstLine(found.summary), Faults: fired(r.Schedule.Fires),
	}
	return &failure{Result: result, Schedule: e.record(result, siteOf(r, found), r.Hash, r.Schedule).String()}
}

// record is the recording of the engine's last execution.
func (e *explorer) record(r Result, site string, hash uint64, s strategy.Schedule) *Schedule {
	return &Schedule{
		Subject: scenarioSubject + e.scenario.Name, Setup: encodeInline(e.scenario),
		Build:    recording.ThisBuild(),
		Strategy: e.scenario.strategy(), Seed: r.Seed, Execution: r.Execution,
		Verdict: r.Verdict, Summary: r.Summary, Site: site, Hash: hash,
		Entries: recording.Entries(s, e.engine.Path),
	}
}

// scenarioSubject stands before a scenario's name in a recording.
const scenarioSubject = "scenario "

// mustParse reads what this process has written.
func mustParse(text string) *Schedule {
	s, err := recording.Parse("", text)
	if err != nil {
		panic(err)
	}
	return s
}

// explained is the failure with its story, and with comments in its recording. The
// verdict stays as it was: an execution that goes another way when it is repeated says
// so.
func (e *explorer) explained(was Result, s *Schedule) *failure {
	r, events, traced := e.tell(was.Execution, was.Seed, s.Schedule())
	r.Verdict, r.Summary = was.Verdict, was.Summary
	if traced.Hash != s.Hash && r.Verdict == Timeout && traced.Verdict == Timeout {
		r.Explanation = append(r.Explanation, "it was cut elsewhere when it was repeated: by the wall clock")
		return &failure{Result: r, Schedule: s.String()}
	}
	if traced.Hash != s.Hash {
		r.Explanation = append(r.Explanation, "it went another way when it was repeated: something that the engine cannot see decides")
		return &failure{Result: r, Schedule: s.String()}
	}
	explain.Annotate(s.Entries, events)
	return &failure{Result: r, Schedule: s.String()}
}
