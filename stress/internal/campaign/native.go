package campaign

import (
	"context"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// runNative runs a native scenario until its turn, or its executions, are used up or a
// failure settles it. After an expected failure that came before all faults had fired, it continues in
// another child.
func (c *campaign) runNative(ctx context.Context, t *entry) error {
	sc, err := t.scenario, ctx.Err()
	ended := t.settledBy(t.Next - 1)
	if err == nil && t.Failure != nil && t.Recording == "" {
		err = c.record(t.tally) // the campaign was killed before this
	}
	if err == nil {
		err = c.search(ctx, t) // or in the search
	}
	for err == nil && !ended {
		r, more := c.request(sc, t.Next, c.leftOf(t))
		if !more {
			break
		}
		ended, err = c.child(ctx, r, t)
	}
	return err
}

// giveChance runs some executions of a native scenario with faults that have not fired.
func (c *campaign) giveChance(ctx context.Context, t *entry) (err error) {
	for err == nil && t.lacksFires() {
		_, err = c.child(ctx, run.Request{
			Scenario: *t.scenario, CampaignSeed: c.Seed, First: t.Next, Most: min(fewExecutions, t.mostExecutions()-t.Executions),
		}, t)
	}
	return err
}

// child runs one child of the scenario. It reports whether nothing is left to do: the
// child has run all its executions, or a failure has settled the scenario.
func (c *campaign) child(ctx context.Context, r run.Request, t *entry) (ended bool, err error) {
	r.Waits, r.Shard = c.journal != nil, c.Shard
	add := func(result outcome.Result) error {
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
			return add(*m.Result)
		case m.Trace != nil:
			t.trace = m.Trace
		}
		return nil
	}, tick)
	if err != nil {
		return true, err
	}
	if t.Failure != before {
		return t.settled(), c.search(ctx, t)
	}
	t.trace = nil // no failure has used it
	crash, err := end.Judge(c.launcher.ChildTimeout())
	if err != nil {
		return true, err
	}
	if crash == nil {
		return true, nil
	}
	if err := add(*crash); err != nil {
		return true, err
	}
	return t.settled(), c.search(ctx, t)
}
