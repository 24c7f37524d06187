package campaign

import (
	"cmp"
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

// DefaultFor is the time of a campaign that has no bound.
const DefaultFor = time.Minute

// Options of a campaign. The zero value runs for DefaultFor with seed 0.
type Options struct {
	Seed uint64
	// For bounds the campaign by time; 0 is DefaultFor. Executions, if not 0,
	// bounds it instead, by the number of executions of each scenario. With
	// either, a scenario runs each of its settings once at least.
	For        time.Duration
	Executions int
	// Out is the folder for recordings; "" is DefaultOut. It is created when
	// there is something to write.
	Out string
	// Procs is how many processes explore a controlled scenario at a time, each with
	// one processor; 0 is 1. What is found does not depend on it.
	Procs int
	// RecordExpected records expected failures, too.
	RecordExpected bool
	// Shard is the part of the campaign to run; the zero value is all of it. A verdict that the
	// other shards may change is open; see Merge.
	Shard scenario.Shard
	// Journal keeps a journal in Out, from which another campaign can resume this one if it is
	// killed: it holds each execution's number before it runs, and its result after. An existing
	// journal is replaced.
	Journal bool
	// Resume, if set, is the journal of the campaign to resume, which Check has accepted for
	// these scenarios. Its Options replace those here; its folder must be Out.
	Resume    *Journal
	Observers []report.Observer

	launcher run.Launcher
	growth   int64            // of a journal until it is rewritten; 0 is compactSize
	now      func() time.Time // nil is time.Now
}

// DefaultOut is the folder for recordings by default.
const DefaultOut = "rouse-out"

// Run runs the scenarios one after the other, each in child processes of its own: a hang leaves
// goroutines behind, and a data race or a panic ends the process. The program must call run.ChildMain
// first thing in main.
//
// Controls, which expect a failure, come first: they prove that the oracles detect it before a pass is
// believed. When a scenario begins, the remaining time is divided among those that remain, by their
// Share; what one does not use goes to all that follow. A control may take many such shares, for it
// ends with its first expected failure. Whatever the time, a scenario runs each of its settings once,
// and some executions more if its faults have not fired.
//
// An unexpected failure ends its scenario and is recorded at once. If the campaign is interrupted, or
// the tool fails, the report holds what was done until then, and the error is context.Cause(ctx), or
// that of the tool.
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
		c.sample()
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
		if err = cmp.Or(err, c.trouble); err == nil {
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

// newCampaign prepares a campaign, and opens its journal if it has one.
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
		c.progress.Executions = j.executionsOfTurn() // the first sample has them
		if !j.finished {
			c.journal, err = j.resume(c.growth, c.elapsed)
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

// resumed describes where the campaign is resumed; nil if it begins.
func (c *campaign) resumed(scenarios []scenario.Scenario) *report.Resumed {
	j := c.Resume
	if j == nil {
		return nil
	}
	r := &report.Resumed{Journal: j.path, Elapsed: j.elapsed, Done: len(j.done), Finished: j.finished, Again: j.running}
	if j.turn != nil {
		sc := &scenarios[j.turn.Index]
		r.Scenario, r.Executions, r.Batches = sc.Title(), j.executionsOfTurn(), sc.Mode == scenario.Control
	}
	return r
}

// A turn is the run of one scenario, from its beginning or from where the journal ends.
type turn struct {
	*tally
	share   time.Duration // of the campaign's time
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
		err = c.runControlled(ctx, t)
	default:
		err = c.runNative(ctx, t)
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

// turn begins the turn of scenario i, or resumes it from the journal.
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

// controlsFirst returns the scenarios that expect a failure and then the others, both in their
// order.
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
	start    time.Time // moved back by the time before it was resumed
	progress report.Progress
	journal  *journalWriter

	samples      report.Samples
	memory, live uint64 // the most since the last sample
	executions   int    // of the scenarios that are done
	failed       int    // scenarios
	trouble      error  // of the journal, with a sample
}

func (c *campaign) elapsed() time.Duration { return c.now().Sub(c.start) }

// left is the remaining time.
func (c *campaign) left() time.Duration { return max(c.For-c.elapsed(), 0) }

// count counts a scenario that is done.
func (c *campaign) count(s *report.ScenarioReport) {
	c.executions += s.Executions
	c.progress.Executions = 0
	if s.Failed() {
		c.failed++
	}
}

func (c *campaign) each(notify func(report.Observer)) {
	for _, ob := range c.Observers {
		notify(ob)
	}
}
