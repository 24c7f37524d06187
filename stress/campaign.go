package stress

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"
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
	// RecordExpected leaves recordings of expected convictions, too.
	RecordExpected bool
	Observers      []Observer

	launcher launcher
}

// DefaultOut is the folder for recordings if nobody names one.
const DefaultOut = "rouse-out"

// errNoChildMain is what Run and Replay return in a process that was started as
// a child and does not know it.
var errNoChildMain = errors.New("stress: this process is a child of a campaign: main or TestMain must call stress.ChildMain first")

// Run runs the scenarios one after the other, each in child processes of its
// own: a convicted hang leaves goroutines behind, and a data race or a panic
// ends the process. The program must call ChildMain first thing in main.
//
// Controls, which expect a conviction, come first: they prove that the oracles can
// see before anything that they let pass is believed. Time is divided evenly over
// the scenarios that remain, but a control may take many such shares: it ends with its
// first expected conviction, and what it does not need goes to those that look for the unknown.
// Whatever the time, a scenario runs each of its pool sizes once, and some executions more in
// which its faults are reached.
//
// A conviction that is not expected ends its scenario and is recorded before
// anything else is done with it. The report of a campaign that was interrupted,
// or that the tool could not go on with, holds what was done until then; the
// error is then context.Cause(ctx), or what went wrong with the tool.
func Run(ctx context.Context, scenarios []Scenario, o Options) (Report, error) {
	if os.Getenv(childEnv) != "" {
		return Report{}, errNoChildMain
	}
	c := &campaign{Options: o, start: time.Now()}
	if c.Executions == 0 && c.For == 0 {
		c.For = DefaultFor
	}
	if c.Executions != 0 {
		c.For = 0
	}
	if c.Out == "" {
		c.Out = DefaultOut
	}
	c.each(func(ob Observer) {
		ob.Began(Campaign{c.Seed, len(scenarios), c.For, c.Executions, ThisBuild()})
	})
	scenarios = controlsFirst(scenarios)
	report := Report{Seed: c.Seed}
	var err error
	for i := range scenarios {
		sc := &scenarios[i]
		sc.Except = nil // this is one strategy's execution, and so are the recordings
		c.progress = Progress{Scenario: sc.Title(), Index: i, Scenarios: len(scenarios)}
		var s ScenarioReport
		share := c.share(len(scenarios) - i)
		if sc.Expect != Pass {
			share = min(patience*share, c.share(1))
		}
		if sc.Mode == Control {
			s, err = c.explore(ctx, sc, share)
		} else {
			s, err = c.scenario(ctx, sc, share)
		}
		report.Scenarios = append(report.Scenarios, s)
		c.each(func(ob Observer) { ob.ScenarioDone(s) })
		if err != nil {
			break
		}
	}
	report.Interrupted = ctx.Err() != nil && err != nil
	report.Duration = time.Since(c.start)
	c.each(func(ob Observer) { ob.Ended(report) })
	return report, err
}

// patience is how many times its share of the time a control may take: it ends with its
// conviction, and nearly always long before that.
const patience = 30

// controlsFirst returns the scenarios that expect a conviction and then the others,
// both in their order.
func controlsFirst(scenarios []Scenario) []Scenario {
	sorted := slices.Clone(scenarios)
	slices.SortStableFunc(sorted, func(a, b Scenario) int {
		rank := map[bool]int{true: 1} // passes
		return rank[a.Expect == Pass] - rank[b.Expect == Pass]
	})
	return sorted
}

// A campaign is one call of Run.
type campaign struct {
	Options
	start    time.Time
	progress Progress
}

func (c *campaign) each(tell func(Observer)) {
	for _, ob := range c.Observers {
		tell(ob)
	}
}

// share is what the next of the remaining scenarios may take of the time that
// is left.
func (c *campaign) share(remaining int) time.Duration {
	return shareOf(c.For-time.Since(c.start), remaining)
}

func shareOf(left time.Duration, remaining int) time.Duration {
	return max(left, 0) / time.Duration(remaining)
}

// scenario runs one scenario until its share of the time, or its executions, are
// used up or a conviction settles it. After an expected conviction that came
// about before all faults had fired it goes on in another child.
func (c *campaign) scenario(ctx context.Context, sc *Scenario, share time.Duration) (ScenarioReport, error) {
	start := time.Now()
	t := newTally(sc)
	err := ctx.Err()
	for next := 0; err == nil; {
		r, more := c.request(sc, next, share-time.Since(start))
		if !more {
			break
		}
		var ended bool
		ended, err = c.child(ctx, r, t)
		if ended || err != nil {
			break
		}
		next = t.conviction.Execution + 1
	}
	for c.For > 0 && err == nil && t.lacksFires() {
		_, err = c.child(ctx, request{
			Scenario: *sc, CampaignSeed: c.Seed, First: t.executions, Most: min(fewExecutions, sc.mostExecutions()-t.executions),
		}, t)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	s := t.report(err == nil)
	s.Duration = time.Since(start)
	return s, err
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
func (sc *Scenario) mostExecutions() int {
	if sc.Executions > 0 {
		return min(sc.Executions, mostForFires)
	}
	return mostForFires
}

// lacksFires reports whether nothing was convicted, but faults have not fired, which some
// executions more may change.
func (t *tally) lacksFires() bool {
	return t.conviction == nil && t.executions < t.scenario.mostExecutions() && len(t.silent()) > 0
}

// request is what the next child is asked to do, from execution n on; it reports
// false if nothing is left to do.
func (c *campaign) request(sc *Scenario, n int, left time.Duration) (request, bool) {
	r := request{Scenario: *sc, CampaignSeed: c.Seed, First: n, Least: max(len(sc.Pool.Workers)-n, 0)}
	if sc.Mode == Control {
		r.Least = max(r.Least, leastControlled-n)
	}
	if c.Executions > 0 {
		r.Most = max(c.Executions, len(sc.Pool.Workers)) - n
		return r, r.Most > 0
	}
	if sc.Executions > 0 {
		if r.Most = sc.Executions - n; r.Most <= 0 {
			return r, false
		}
	}
	r.For = max(left, 1)
	return r, left > 0 || r.Least > 0
}

// child runs one child of the scenario. It reports true if that was all: the
// child has done what was asked for, or a conviction has settled the scenario.
func (c *campaign) child(ctx context.Context, r request, t *tally) (ended bool, err error) {
	observe := func(result Result) error {
		t.add(&result)
		if result.Verdict == Pass {
			return nil
		}
		return c.record(t)
	}
	tick := func() {
		c.progress.Executions = t.executions
		c.progress.Elapsed = time.Since(c.start)
		c.each(func(ob Observer) { ob.Progressed(c.progress) })
	}
	before := t.conviction
	end, err := c.launcher.run(ctx, r, func(m *message) error {
		if m.Result == nil {
			return nil
		}
		return observe(*m.Result)
	}, tick)
	if err != nil {
		return true, err
	}
	if t.conviction != before {
		return t.settled(), nil
	}
	crash, err := end.judge(c.launcher.childTimeout())
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
	if t.scenario.expects(t.conviction.Verdict) && !c.RecordExpected {
		return nil
	}
	if t.schedule != "" {
		t.recording, err = writeSchedule(c.Out, c.Seed, t)
		return err
	}
	t.recording, err = WriteRecording(c.Out, NewRecording(t.scenario, c.Seed, t.conviction))
	return err
}
