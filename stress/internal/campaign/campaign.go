package campaign

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// DefaultFor is how long a campaign takes if nobody says.
const DefaultFor = time.Minute

// Options of a campaign. The zero value runs for DefaultFor with seed 0.
type Options struct {
	Seed uint64
	// For bounds the campaign by time; 0 is DefaultFor. Executions, if not 0,
	// bounds it instead, by the number of executions of each scenario. With
	// either, each of a scenario's pool sizes is run once, however many there are.
	For        time.Duration
	Executions int
	// Out is the folder for recordings; "" is DefaultOut. It is created when
	// there is something to write.
	Out string
	// Procs is how many processes explore a controlled scenario at a time, each with
	// one processor; 0 is 1. What is found does not depend on it.
	Procs int
	// RecordExpected leaves recordings of expected failures, too.
	RecordExpected bool
	// Shard is the part of the campaign to run; the zero value is all of it. What needs the
	// other shards to be decided is left open in the report; see Merge.
	Shard scenario.Shard
	// Journal keeps a journal in Out, from which another campaign can go on if this one is
	// killed: it holds each execution's number before it runs, and its result after. A
	// journal that is there is replaced.
	Journal bool
	// Resume, if set, is the journal to go on with, for which Check has found nothing
	// against these scenarios. Seed, For, Executions, RecordExpected and Shard are its own then;
	// the folder must be Out.
	Resume    *Journal
	Observers []report.Observer

	launcher run.Launcher
	growth   int64            // of a journal until it is rewritten; 0 is compactSize
	now      func() time.Time // nil is time.Now
}

// DefaultOut is the folder for recordings if nobody names one.
const DefaultOut = "rouse-out"

// errNoChildMain is what Run and Replay return in a process that was started as
// a child and does not know it.

// Run runs the scenarios one after the other, each in child processes of its
// own: a convicted hang leaves goroutines behind, and a data race or a panic
// ends the process. The program must call ChildMain first thing in main.
//
// Controls, which expect a conviction, come first: they prove that the oracles can
// see before anything that they let pass is believed. What is left of the time is divided over
// the scenarios that remain each time that one begins, by their Share, so that what one
// does not use goes to all that follow. A control may take many such shares: it ends with its
// first expected conviction, and what it does not need goes to those that look for the unknown.
// Whatever the time, a scenario runs each of its pool sizes once, and some executions more in
// which its faults are reached.
//
// A conviction that is not expected ends its scenario and is recorded before
// anything else is done with it. The report of a campaign that was interrupted,
// or that the tool could not go on with, holds what was done until then; the
// error is then context.Cause(ctx), or what went wrong with the tool.
func Run(ctx context.Context, scenarios []scenario.Scenario, o Options) (report.Report, error) {
	if os.Getenv(run.ChildEnv) != "" {
		return report.Report{}, run.ErrNoChildMain
	}
	scenarios = prepared(scenarios)
	c, err := newCampaign(scenarios, o)
	if err != nil {
		return report.Report{}, err
	}
	defer c.journal.close()
	c.each(func(ob report.Observer) {
		ob.Began(report.Campaign{
			Seed: c.Seed, Scenarios: len(scenarios), For: c.For, Executions: c.Executions, Build: outcome.ThisBuild(),
			Resumed: c.resumed(scenarios), Shard: c.Shard, Setup: setupOf(journalScenarios(scenarios)),
		})
	})
	if c.Resume == nil || !c.Resume.finished {
		c.Sample()
	}
	result := report.Report{Seed: c.Seed, Shard: c.Shard}
	if c.Resume != nil {
		result.Scenarios = slices.Clone(c.Resume.done)
	}
	for i := range result.Scenarios {
		c.each(func(ob report.Observer) { ob.ScenarioDone(result.Scenarios[i]) })
	}
	for i := len(result.Scenarios); i < len(scenarios) && err == nil; i++ {
		var s report.ScenarioReport
		s, err = c.next(ctx, scenarios, i)
		c.count(&s)
		result.Scenarios = append(result.Scenarios, s)
		c.each(func(ob report.Observer) { ob.ScenarioDone(s) })
	}
	if c.Resume == nil || !c.Resume.finished {
		c.takeSample()
		if err == nil {
			err = c.trouble
		}
		if err == nil {
			err = c.journal.end()
		}
	}
	if result.Interrupted = ctx.Err() != nil && err != nil; err != nil && !result.Interrupted {
		result.Trouble = err.Error()
	}
	result.Duration, result.Samples = c.elapsed(), c.samples.Kept
	c.each(func(ob report.Observer) { ob.Ended(result) })
	return result, err
}

// newCampaign opens the campaign's journal, if it is to have one.
func newCampaign(scenarios []scenario.Scenario, o Options) (c *campaign, err error) {
	c = &campaign{Options: o}
	if c.now == nil {
		c.now = time.Now
	}
	c.start = c.now()
	if c.Out == "" {
		c.Out = DefaultOut
	}
	if j := c.Resume; j != nil {
		was := j.Options()
		c.Seed, c.For, c.Executions, c.RecordExpected, c.Shard = was.Seed, was.For, was.Executions, was.RecordExpected, was.Shard
		c.start = c.start.Add(-j.elapsed)
		c.samples = j.samples
		for i := range j.done {
			c.count(&j.done[i])
		}
		c.progress.Executions = j.executionsOfTurn() // they are in the first sample
		if !j.finished {
			c.journal, err = j.goOn(c.growth, c.elapsed)
		}
		return c, err
	}
	if c.Executions == 0 && c.For == 0 {
		c.For = DefaultFor
	}
	if c.Executions != 0 {
		c.For = 0
	}
	if c.Journal {
		c.journal, err = startJournal(c.Out, journalCampaign{
			outcome.ThisBuild(), outcome.ProgramHash(), report.HexSeed(c.Seed), c.For, c.Executions, c.RecordExpected, c.Shard.String(), journalScenarios(scenarios),
		}, c.growth, c.elapsed)
	}
	return c, err
}

// resumed says where the campaign goes on; nil if it begins.
func (c *campaign) resumed(scenarios []scenario.Scenario) *report.Resumed {
	j := c.Resume
	if j == nil {
		return nil
	}
	r := &report.Resumed{Journal: j.path, Elapsed: j.elapsed, Done: len(j.done), Finished: j.finished, Again: j.underWay}
	if j.turn != nil {
		sc := &scenarios[j.turn.Index]
		r.Scenario, r.Executions, r.Batches = sc.Title(), j.executionsOfTurn(), sc.Mode == scenario.Control
	}
	return r
}

// A turn is a scenario's in the campaign.
type turn struct {
	*tally
	share   time.Duration
	began   time.Duration // since the campaign began
	start   time.Time
	waiting run.WaitingBatches // of a controlled scenario
}

// next runs scenario i, or what is left of it.
func (c *campaign) next(ctx context.Context, scenarios []scenario.Scenario, i int) (s report.ScenarioReport, err error) {
	sc := &scenarios[i]
	c.progress = report.Progress{Scenario: sc.Title(), Index: i, Scenarios: len(scenarios)}
	t, err := c.turn(sc, i, scenarios[i:])
	switch {
	case err != nil:
	case sc.Mode == scenario.Control:
		err = c.Explore(ctx, t)
	default:
		err = c.scenario(ctx, t)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	s = t.report(err == nil)
	s.Duration = c.now().Sub(t.start)
	if err == nil {
		err = c.journal.ended(s)
	}
	return s, err
}

// turn begins the scenario's turn, or goes on with what the journal has of it.
func (c *campaign) turn(sc *scenario.Scenario, i int, remaining []scenario.Scenario) (*turn, error) {
	if j := c.Resume; j != nil && j.turn != nil && j.turn.Index == i {
		t := &turn{tally: j.tally, share: j.turn.Share, began: j.turn.Began, start: c.start.Add(j.turn.Began), waiting: j.waiting}
		t.scenario, t.shard = sc, c.Shard
		return t, c.journal.began(i, t)
	}
	t := &turn{tally: newTally(sc), share: shareOf(c.left(), remaining), began: c.elapsed(), start: c.now(), waiting: run.WaitingBatches{}}
	t.shard = c.Shard
	return t, c.journal.began(i, t)
}

// controlsFirst returns the scenarios that expect a conviction and then the others,
// both in their order.
func controlsFirst(scenarios []scenario.Scenario) []scenario.Scenario {
	sorted := slices.Clone(scenarios)
	slices.SortStableFunc(sorted, func(a, b scenario.Scenario) int {
		rank := map[bool]int{true: 1} // passes
		return rank[a.Expect == verdict.Pass] - rank[b.Expect == verdict.Pass]
	})
	return sorted
}

// A campaign is one call of Run.
type campaign struct {
	Options
	start    time.Time // moved back by what went before if it was resumed
	progress report.Progress
	journal  *journal

	samples      report.Samples
	memory, live uint64 // the most since the last sample
	executions   int    // of the scenarios that are done
	failed       int    // scenarios
	trouble      error  // of the journal with a sample
}

func (c *campaign) elapsed() time.Duration { return c.now().Sub(c.start) }

// left is what there is of the campaign's time.
func (c *campaign) left() time.Duration { return max(c.For-c.elapsed(), 0) }

// count takes in a scenario that is done.
func (c *campaign) count(s *report.ScenarioReport) {
	c.executions += s.Executions
	c.progress.Executions = 0
	if s.Failed() {
		c.failed++
	}
}

func (c *campaign) each(tell func(report.Observer)) {
	for _, ob := range c.Observers {
		tell(ob)
	}
}

// scenario runs one scenario until its share of the time, or its executions, are
// used up or a conviction settles it. After an expected conviction that came
// about before all faults had fired it goes on in another child.
func (c *campaign) scenario(ctx context.Context, t *turn) error {
	sc, err := t.scenario, ctx.Err()
	ended := t.wasSettled(t.next - 1)
	if err == nil && t.failure != nil && t.recording == "" {
		err = c.record(t.tally) // it had no time for that
	}
	for err == nil && !ended {
		r, more := c.request(sc, t.next, c.leftOf(t))
		if !more {
			break
		}
		ended, err = c.child(ctx, r, t)
	}
	for c.For > 0 && err == nil && t.lacksFires() {
		_, err = c.child(ctx, run.Request{
			Scenario: *sc, CampaignSeed: c.Seed, First: t.next, Most: min(fewExecutions, t.mostExecutions()-t.executions),
		}, t)
	}
	return err
}

// What is run even if the time is up.
const (
	// leastControlled executions of a controlled scenario take a few hundredths of a second, mostly.
	leastControlled = 64
	// mostForFires executions of a native scenario, at most, give its faults a chance to fire;
	// fewExecutions at a time.
	mostForFires, fewExecutions = 48, 4
)

// mostExecutions is how many there may be, of those.
func (t *tally) mostExecutions() int {
	if t.scenario.Executions > 0 {
		return min(t.shard.Below(t.scenario, t.scenario.Executions), mostForFires)
	}
	return mostForFires
}

// lacksFires reports whether nothing was convicted, but faults have not fired, which some
// executions more may change.
func (t *tally) lacksFires() bool {
	return t.failure == nil && t.executions < t.mostExecutions() && len(t.silent()) > 0
}

// request is what the next child is asked to do, from execution n on; it reports
// false if nothing is left to do.
func (c *campaign) request(sc *scenario.Scenario, n int, left time.Duration) (run.Request, bool) {
	done := c.Shard.Below(sc, n)
	r := run.Request{Scenario: *sc, CampaignSeed: c.Seed, First: n, Least: max(sc.Settings()-done, 0)}
	if sc.Mode == scenario.Control {
		r.Least = max(r.Least, leastControlled-n)
	}
	if bound := c.bound(sc); bound > 0 {
		if r.Most = c.Shard.Below(sc, bound) - done; r.Most <= 0 {
			return r, false
		}
	}
	if c.Executions > 0 {
		return r, true
	}
	r.For = max(left, 1)
	return r, left > 0 || r.Least > 0
}

// bound is what the scenario's executions have numbers below; 0 is no bound.
func (c *campaign) bound(sc *scenario.Scenario) int {
	if c.Executions > 0 {
		return max(c.Executions, sc.Settings())
	}
	return sc.Executions
}

// child runs one child of the scenario. It reports true if that was all: the
// child has done what was asked for, or a conviction has settled the scenario.
func (c *campaign) child(ctx context.Context, r run.Request, t *turn) (ended bool, err error) {
	r.Waits, r.Shard = c.journal != nil, c.Shard
	observe := func(result outcome.Result) error {
		t.Add(&result)
		if err := c.journal.result(&result); err != nil || result.Verdict == verdict.Pass {
			return err
		}
		return c.record(t.tally)
	}
	tick := func() { c.tick(t, t.executions) }
	before := t.failure
	end, err := c.launcher.Run(ctx, r, func(m *run.Message) error {
		switch {
		case m.Begin != nil:
			return c.journal.begins(m.Begin)
		case m.Result != nil:
			return observe(*m.Result)
		case m.Trace != nil:
			t.trace = m.Trace
		}
		return nil
	}, tick)
	if err != nil {
		return true, err
	}
	if t.failure != before {
		return t.settled(), nil
	}
	t.trace = nil // nothing came of it
	crash, err := end.Judge(c.launcher.ChildTimeout())
	if err != nil {
		return true, err
	}
	if crash == nil {
		return true, nil
	}
	if err := observe(*crash); err != nil {
		return true, err
	}
	return t.settled(), nil
}

// record writes the recording of the last conviction if there is to be one.
func (c *campaign) record(t *tally) (err error) {
	if t.scenario.Expects(t.failure.Verdict) && !c.RecordExpected {
		return nil
	}
	text := t.schedule
	if text == "" {
		text = run.NativeRecording(t.scenario, c.Seed, t.failure).String()
	}
	t.recording, err = run.WriteNew(filepath.Join(c.Out, run.RecordingName(t.scenario, c.Seed, t.failure)), text)
	if err != nil {
		return err
	}
	if t.schedule == "" { // a schedule says it all
		if err := run.WriteBeside(t.recording, t.failure, t.trace); err != nil {
			return err
		}
	}
	return c.journal.recorded(t)
}
