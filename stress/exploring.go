package stress

import (
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/explore"
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
	defer e.Close()
	if r.For > 0 {
		e.Engine.SetWithin(max(leastWithin, slotsWithin*r.For))
	}
	var deadline time.Time
	if r.For > 0 {
		deadline = time.Now().Add(r.For)
	}
	for b := r.Explore.First; ; b += r.Explore.Stride {
		if slices.Contains(r.Explore.Done, b) {
			continue
		}
		report, ended := r.batch(e, b, deadline, send, began)
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
func (r *request) batch(e *explorer, b int, deadline time.Time, send func(message), began func(sc *Scenario, n int)) (report batchReport, ended bool) {
	from, to := b*batchSize, (b+1)*batchSize
	report = batchReport{Batch: b, Next: from, Faults: newTally(&r.Scenario).faults}
	if e.Batches.Exhaustive() {
		to = math.MaxInt
	}
	if most := r.Explore.To; most > 0 && most <= to {
		to, ended = most, true
	}
	var announced, now time.Time
	before := func(n int) bool {
		now = time.Now()
		if !deadline.IsZero() && now.After(deadline) && n >= r.Least {
			ended = true
			return false
		}
		if n == from || r.Explore.Careful || now.Sub(announced) > announceTime {
			announced = now
			if report.Executions > 0 {
				send(message{Progress: &report})
			}
			x := e.Execution(n)
			send(message{Begin: &begin{n, x.Seed, r.Scenario.Pool.sizeOf(n)}})
		}
		report.Next = n + 1
		began(&r.Scenario, n)
		return true
	}
	after := func(result *control.Result) {
		report.Took.Add(time.Since(now))
		report.count(result)
		if r.Scenario.Clock == control.Lazy {
			report.Timers += uint64(result.Timers)
		}
	}
	n, failed := e.Explore(explore.Range{From: from, To: to, Before: before, After: after})
	switch {
	case failed.Verdict != Pass:
		report.Failure, ended = e.failed(n, failed), true
	case e.Exhausted():
		report.Complete, report.Bounded, ended = true, e.Batches.Bounded(), true
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

// failed is the failure of the last execution, not yet explained.
func (e *explorer) failed(n int, r control.Result) *failure {
	x := e.Execution(n)
	return &failure{Result: e.result(x, r), Schedule: e.record(x, r, r.Schedule).String()}
}

// record is the recording of the last execution.
func (e *explorer) record(x strategy.Execution, r control.Result, by strategy.Schedule) *recording.Recording {
	s := e.Recording(x, r, by)
	s.Summary = firstLine(r.Summary)
	return describe(s, e.scenario)
}

// mustParse reads what this process has written.
func mustParse(text string) *recording.Recording {
	s, err := recording.Parse("", text)
	if err != nil {
		panic(err)
	}
	return s
}

// explained is the failure with its explanation, and with comments in its recording. The verdict stays
// as it was; if the execution takes another course when it is repeated, the explanation says so.
func (e *explorer) explained(was Result, s *recording.Recording) *failure {
	x := recorded(s)
	traced := e.Trace(x, s.Schedule())
	r := e.explain(x, traced)
	cut := r.Verdict == Timeout && was.Verdict == Timeout
	r.Verdict, r.Summary = was.Verdict, was.Summary
	switch {
	case traced.Hash == s.Hash:
		explain.Annotate(s.Entries, traced.Events)
	case cut:
		r.Explanation = append(r.Explanation, "it was cut elsewhere when it was repeated: by the wall clock")
	default:
		r.Explanation = append(r.Explanation, "it went another way when it was repeated: something that the engine cannot see decides")
	}
	return &failure{Result: r, Schedule: s.String()}
}

// recorded is the execution that a recording is of.
func recorded(s *recording.Recording) strategy.Execution {
	return strategy.Execution{Number: s.Execution, Seed: s.Seed}
}
