package campaign

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// searchPart is the part of a campaign's time that all its searches take together, at most. Each may run
// leastControlled executions whatever the time.
const searchPart = 0.25

// search searches under control for a native failure that is not expected, unless that has been done,
// and keeps what it finds beside the native recording.
func (c *campaign) search(ctx context.Context, t *entry) error {
	if c.Search == (run.SearchBudget{}) || len(c.Subjects) == 0 || t.Failure == nil || t.Search != nil || t.Recording == "" || t.scenario.Expects(t.Failure.Verdict) {
		return nil
	}
	native := &run.Recording{Recording: run.NativeRecording(t.scenario, c.Seed, t.Failure), Scenario: t.scenario}
	found, err := native.Search(ctx, c.searchBudget(), c.Subjects...)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	if found.Schedule != nil {
		if found.Recording, err = run.WriteNew(run.ControlName(t.Recording), found.Schedule.String()); err != nil {
			return err
		}
	}
	t.Search = &found.Search
	return c.journal.recorded(t.tally)
}

// searchBudget is that of the next search.
func (c *campaign) searchBudget() run.SearchBudget {
	b := c.Search
	b.Least = leastControlled
	if c.For == 0 {
		return b
	}
	left := time.Duration(searchPart * float64(c.For))
	for _, e := range c.entries {
		if s := e.searched(); s != nil {
			left -= s.Took
		}
	}
	left = max(min(left, c.left()), 1)
	if b.For == 0 || b.For > left {
		b.For = left
	}
	return b
}

// searched is the search for the entry's failure, nil if there was none.
func (e *entry) searched() *outcome.Search {
	if e.done != nil {
		return e.done.Search
	}
	return e.tally.Search
}
