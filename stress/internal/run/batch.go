package run

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

// An ExploreRequest requests batches of a controlled scenario from a child: every Stride-th,
// from First on.
type ExploreRequest struct {
	First, Stride int
	// To bounds the executions by number; 0 is no bound.
	To int
	// Careful means that the child runs one batch and announces each of its executions, in case one of
	// them ends the process.
	Careful bool
	// Done lists batches that need not run, because the journal has them.
	Done []int
	// Slice, if not 0, is the time after which no further batch begins.
	Slice time.Duration
	// Level is the level of the sample of orders that is reported.
	Level int
}

// A BatchReport is the outcome of a batch, or of a part of one that is running or was stopped by the time
// limit.
type BatchReport struct {
	Batch      int
	Next       int // execution after the last one that ran
	Executions int
	Steps      uint64
	Timers     uint64               `json:",omitempty"` // armed by the subject; 0 with the racy clock
	Faults     []outcome.FaultCount // in the order of the plan
	Took       outcome.Latencies    `json:",omitzero"`
	Complete   bool                 // the strategy has nothing left to explore
	Bounded    string               `json:",omitempty"` // what the strategy has left out then, or ""
	Orders     orders.Hashes        `json:",omitzero"`  // a sample; nil of an exhaustive strategy
	Evidence   evidence.Counts      `json:",omitzero"`
	Failure    *failure             // the failure that ended it; nil if it passed
}

// A failure is a controlled execution that failed.
type failure struct {
	Result   outcome.Result
	Schedule string // its recording; "" if it ended the process
	// Gone lists the entries of a repeated recording that did not apply, and why.
	Gone []string
	// Incomparable is why the execution to compare with cannot be used; then nothing else is set.
	Incomparable string `json:",omitempty"`
	// Page and Timelines hold the execution as data, if that was requested.
	Page      *explain.Page      `json:",omitempty"`
	Timelines *explain.Timelines `json:",omitempty"`
}

// AnnounceTime is how often a child sends a sign of life, so that its parent does not take a slow
// batch for a hang.
const AnnounceTime = time.Second

// An execution is cut when it has taken slotsWithin times the time of its turn, but not before
// leastWithin: a busy machine is no livelock.
const (
	slotsWithin = 10
	leastWithin = 10 * time.Second
)

// explore runs batches until the time is up, all that was requested is done, or an execution fails:
// then it returns false.
func (r *Request) explore(of *Runner, send func(Message), began func(sc *scenario.Scenario, n int)) (passed bool, err error) {
	e, err := of.newExplorer(&r.Scenario, r.CampaignSeed)
	if err != nil {
		return false, err
	}
	defer e.Close()
	if r.For > 0 {
		e.Engine.SetWithin(max(leastWithin, slotsWithin*cmp.Or(r.Explore.Slice, r.For)))
	}
	start := time.Now()
	var deadline time.Time
	if r.For > 0 {
		deadline = start.Add(r.For)
	}
	for b := r.Explore.First; ; b += r.Explore.Stride {
		if slices.Contains(r.Explore.Done, b) {
			continue
		}
		report, ended := r.batch(e, b, deadline, send, began)
		if report.Executions > 0 || report.Complete {
			send(Message{Batch: &report})
		}
		if f := report.Failure; f != nil {
			send(Message{Explained: e.explainFailure(f.Result, MustParse(f.Schedule))})
		}
		if ended || r.Explore.Careful || r.Explore.Slice > 0 && time.Since(start) >= r.Explore.Slice {
			return report.Failure == nil, nil
		}
	}
}

// batch runs one batch. It reports whether it is the last one.
func (r *Request) batch(e *explorer, b int, deadline time.Time, send func(Message), began func(sc *scenario.Scenario, n int)) (report BatchReport, ended bool) {
	from, to := b*scenario.BatchSize, (b+1)*scenario.BatchSize
	report = BatchReport{Batch: b, Next: from, Faults: PlannedFaults(&r.Scenario)}
	if e.Batches.Exhaustive() {
		to = math.MaxInt
	} else {
		report.Orders = orders.Hashes{}
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
		if n == from || r.Explore.Careful || now.Sub(announced) > AnnounceTime {
			announced = now
			if report.Executions > 0 {
				report.Evidence = e.Evidence
				send(Message{Progress: &report})
			}
			x := e.Execution(n)
			send(Message{Begin: &Begin{n, x.Seed, r.Scenario.Setting(n)}})
		}
		report.Next = n + 1
		began(&r.Scenario, n)
		return true
	}
	after := func(result *control.Result) {
		report.Took.Add(time.Since(now))
		report.count(result)
		if report.Orders != nil {
			report.Orders.Add(result.Order, (report.Next-1)%max(r.Scenario.Settings(), 1), r.Explore.Level)
		}
		if r.Scenario.Clock == control.Lazy {
			report.Timers += uint64(result.Timers)
		}
	}
	e.Evidence = evidence.Counts{}
	n, failed := e.Explore(explore.Range{From: from, To: to, Before: before, After: after})
	report.Evidence = e.Evidence
	switch {
	case failed.Verdict != verdict.Pass:
		report.Failure, ended = e.failed(n, failed), true
	case e.Exhausted():
		report.Complete, report.Bounded, ended = true, e.Batches.Bounded(), true
	}
	return report, ended
}

// count adds an execution.
func (b *BatchReport) count(r *control.Result) {
	b.Executions++
	b.Steps += uint64(r.Steps)
	for i, c := range r.Faults {
		b.Faults[i].Hits += uint64(c.Hits)
		b.Faults[i].Skipped += uint64(c.Skipped)
		b.Faults[i].Fires += uint64(c.Fires)
		b.Faults[i].Expired += uint64(c.Expired)
	}
}

// failed returns the failure of the last execution, not yet explained.
func (e *explorer) failed(n int, r control.Result) *failure {
	x := e.Execution(n)
	return &failure{Result: e.result(x, r), Schedule: e.record(x, r, r.Schedule).String()}
}

// record returns the recording of the last execution.
func (e *explorer) record(x strategy.Execution, r control.Result, by strategy.Schedule) *recording.Recording {
	s := e.Recording(x, r, by)
	s.Summary = firstLine(r.Summary)
	return describe(s, e.scenario)
}

// MustParse parses a recording that this program has written.
func MustParse(text string) *recording.Recording {
	s, err := recording.Parse("", text)
	if err != nil {
		panic(err)
	}
	return s
}

// explainFailure repeats an execution that failed, and returns the failure with its explanation and
// with comments in its recording. The verdict stays; if the repetition takes another course, the
// explanation says so.
func (e *explorer) explainFailure(was outcome.Result, s *recording.Recording) *failure {
	x := recorded(s)
	traced := e.Trace(x, s.Schedule())
	r := e.explain(x, traced)
	cut := r.Verdict == verdict.Timeout && was.Verdict == verdict.Timeout
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

// recorded returns the execution of a recording.
func recorded(s *recording.Recording) strategy.Execution {
	return strategy.Execution{Number: s.Execution, Seed: s.Seed}
}

// Whole reports whether a batch has nothing left to run.
func (r *Request) Whole(b *BatchReport) bool {
	return b.Next == (b.Batch+1)*scenario.BatchSize || r.Explore.To > 0 && b.Next >= r.Explore.To
}

// FindCrash finds out which execution ended the child, by running its batch again.
func (l Launcher) FindCrash(ctx context.Context, r Request, end Ending) (*BatchReport, error) {
	crash, err := end.Judge(l.ChildTimeout())
	if err != nil {
		return nil, err
	}
	b := crash.Execution / scenario.BatchSize
	if r.Scenario.Exhaustive() {
		b = 0
	}
	r.Explore = &ExploreRequest{First: b, Stride: 1, To: r.Explore.To, Careful: true}
	r.For, r.Least = 0, 0
	again, err := l.Run(ctx, r, func(*Message) error { return nil }, func() {})
	if err != nil {
		return nil, err
	}
	if !again.Done && again.last != nil {
		if exact, err := again.Judge(l.ChildTimeout()); err == nil {
			crash = exact
		}
	} else {
		crash.Summary += fmt.Sprintf(" (in one of the executions from %d to %d; not again when they were repeated)", crash.Execution, crash.Execution+scenario.BatchSize-1)
	}
	report := &BatchReport{Batch: b, Executions: crash.Execution - b*scenario.BatchSize + 1, Failure: &failure{Result: *crash}}
	return report, nil
}
