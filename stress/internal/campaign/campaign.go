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
	"github.com/rouse-go/rouse/stress/subject"
)

// DefaultFor is the time of a campaign without a bound.
const DefaultFor = time.Minute

// Options of a campaign. The zero value runs for DefaultFor with seed 0.
type Options struct {
	Seed uint64
	// For bounds the campaign by time; 0 is DefaultFor. Executions, if not 0,
	// bounds it instead, by the number of executions of each scenario. With
	// either, a scenario runs each of its settings at least once.
	For        time.Duration
	Executions int
	// Out is the folder for recordings; "" is DefaultOut. It is created before
	// the first write.
	Out string
	// Procs is how many processes explore a controlled scenario at a time, each with
	// one processor; 0 is 1. What is found does not depend on it.
	Procs int
	// RecordExpected also records expected failures.
	RecordExpected bool
	// Shard is the part of the campaign to run; the zero value is the whole campaign. A verdict
	// that the other shards may change is open; see Merge.
	Shard scenario.Shard
	// Search bounds the search under control that follows an unexpected failure of a native scenario; the zero
	// value is no search. In a campaign that is bounded by time, all searches together take at most a
	// quarter of it. It needs Subjects, which are the subjects of the scenarios.
	Search   outcome.SearchBudget
	Subjects []subject.Subject `json:"-"`
	// Journal keeps a journal in Out, from which another campaign can resume this one if it is
	// killed: it holds each execution's number before it runs, and its result after. An existing
	// journal is replaced.
	Journal bool
	// Resume, if set, is the journal of the campaign to resume, which Check has accepted for
	// these scenarios. Its Options replace those here; its folder must be Out.
	Resume    *Journal
	Observers report.Observers

	launcher run.Launcher
	growth   int64            // growth of a journal before it is rewritten; 0 is compactSize
	now      func() time.Time // nil is time.Now
}

// DefaultOut is the folder for recordings by default.
const DefaultOut = "rouse-out"

// Run runs the scenarios in child processes: a hang leaves goroutines behind, and a data race or a
// panic ends the process. The program must call run.ChildMain first thing in main.
//
// With Executions the scenarios run one after the other, controls first: they expect a failure, and
// prove that the oracles detect it. Otherwise they run in turns: each has a short one, and then the
// most promising have more; see turns.go. A control ends with its first expected failure. However
// short the time is, a scenario runs each of its settings once, and some more executions if its faults
// have not fired.
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
	defer c.spares.Close()
	result := report.Report{Campaign: report.Campaign{
		Seed: c.Seed, Scenarios: len(scenarios), For: c.For, Executions: c.Executions, Build: outcome.ThisBuild(),
		Resumed: c.resumed(scenarios), Shard: c.Shard, Setup: setupOf(journalScenarios(scenarios)),
	}}
	c.Observers.Notify(&result.Campaign)
	if c.Resume == nil || !c.Resume.finished {
		c.sample()
	}
	for _, e := range c.entries {
		if e.done != nil { // before the campaign was resumed
			c.Observers.Notify(e.done)
		}
	}
	for e := c.next(); e != nil && err == nil; e = c.next() {
		err = c.play(ctx, e, c.run)
		if err == nil && !c.over(e) && c.overdue(e) && e.wantsChance() {
			err = c.play(ctx, e, c.giveChance)
		}
		if err == nil && c.decided(e) {
			err = c.finish(e)
		}
	}
	if err == nil {
		err = c.finishAll(ctx)
	}
	result.Scenarios = c.reports()
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
	c.Observers.Notify(&result)
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
		c.Search = was.Search
		c.start = c.start.Add(-j.elapsed)
		c.samples = j.samples
		c.entries = c.entriesOf(scenarios)
		for _, e := range c.entries {
			c.executions += e.executions()
			if e.done != nil && e.done.Failed() {
				c.failed++
			}
		}
		if j.current != nil {
			c.current = j.current
			c.current.start = c.start.Add(c.current.began)
		}
		if !j.finished {
			c.journal, err = j.resume(c.entries, c.growth, c.elapsed)
		}
		return c, err
	}
	c.entries = c.entriesOf(scenarios)
	if c.Executions == 0 && c.For == 0 {
		c.For = DefaultFor
	}
	if c.Executions != 0 {
		c.For = 0
	}
	if c.Journal {
		c.journal, err = startJournal(c.Out, journalCampaign{
			outcome.ThisBuild(), outcome.ProgramHash(), report.HexSeed(c.Seed), c.For, c.Executions, c.RecordExpected, c.Shard.String(), journalScenarios(scenarios), c.Search,
		}, c.entries, c.growth, c.elapsed)
	}
	return c, err
}

// resumed describes where the campaign is resumed. It returns nil for a new campaign.
func (c *campaign) resumed(scenarios []scenario.Scenario) *report.Resumed {
	j := c.Resume
	if j == nil {
		return nil
	}
	done, _ := j.Done()
	r := &report.Resumed{Journal: j.path, Elapsed: j.elapsed, Done: done, Finished: j.finished, Again: j.running}
	if j.current != nil {
		sc := &scenarios[j.current.index]
		r.Scenario, r.Executions, r.Batches = sc.Title(), j.executionsOfTurn(), sc.Mode == scenario.Control
	}
	return r
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
	entries  []*entry  // in the order of the campaign
	current  *entry    // its turn was in progress when the campaign was killed; nil if none was
	progress report.Progress
	journal  *journalWriter
	spares   run.Spares

	samples      report.Samples
	memory, live uint64 // the maximum since the last sample
	executions   int    // without those of the running scenario
	failed       int    // scenarios
	trouble      error  // the journal's error for a sample
}

func (c *campaign) elapsed() time.Duration { return c.now().Sub(c.start) }

// left returns the remaining time.
func (c *campaign) left() time.Duration { return max(c.For-c.elapsed(), 0) }
