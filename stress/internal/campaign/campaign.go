package campaign

import (
	"context"
	"os"
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
	waiting waitingBatches // of a controlled scenario
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
	t := &turn{tally: newTally(sc), share: shareOf(c.left(), remaining), began: c.elapsed(), start: c.now(), waiting: waitingBatches{}}
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
