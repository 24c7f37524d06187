package campaign

import (
	"context"
	"path/filepath"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// scenario runs one scenario until its share of the time, or its executions, are
// used up or a conviction settles it. After an expected conviction that came
// about before all faults had fired it goes on in another child.
func (c *campaign) scenario(ctx context.Context, t *turn) error {
	sc, err := t.scenario, ctx.Err()
	ended := t.settledBy(t.Next - 1)
	if err == nil && t.Failure != nil && t.Recording == "" {
		err = c.record(t.tally) // it had no time for that
	}
	for err == nil && !ended {
		r, more := c.request(sc, t.Next, c.leftOf(t))
		if !more {
			break
		}
		ended, err = c.child(ctx, r, t)
	}
	for c.For > 0 && err == nil && t.lacksFires() {
		_, err = c.child(ctx, run.Request{
			Scenario: *sc, CampaignSeed: c.Seed, First: t.Next, Most: min(fewExecutions, t.mostExecutions()-t.Executions),
		}, t)
	}
	return err
}

// child runs one child of the scenario. It reports true if that was all: the
// child has done what was asked for, or a conviction has settled the scenario.
func (c *campaign) child(ctx context.Context, r run.Request, t *turn) (ended bool, err error) {
	r.Waits, r.Shard = c.journal != nil, c.Shard
	observe := func(result outcome.Result) error {
		t.add(&result)
		if err := c.journal.result(&result); err != nil || result.Verdict == verdict.Pass {
			return err
		}
		return c.record(t.tally)
	}
	tick := func() { c.tick(t, t.Executions) }
	before := t.Failure
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
	if t.Failure != before {
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
	if t.scenario.Expects(t.Failure.Verdict) && !c.RecordExpected {
		return nil
	}
	text := t.Schedule
	if text == "" {
		text = run.NativeRecording(t.scenario, c.Seed, t.Failure).String()
	}
	t.Recording, err = run.WriteNew(filepath.Join(c.Out, run.RecordingName(t.scenario, c.Seed, t.Failure)), text)
	if err != nil {
		return err
	}
	if t.Schedule == "" { // a schedule says it all
		if err := run.WriteBeside(t.Recording, t.Failure, t.trace); err != nil {
			return err
		}
	}
	return c.journal.recorded(t)
}
