package campaign

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// search searches under control for an unexpected native failure, unless that has been done, and records
// a failure that it finds beside the native recording.
func (c *campaign) search(ctx context.Context, t *entry) error {
	if c.Search.Off() || len(c.Subjects) == 0 || t.Failure == nil || t.Search != nil || t.Recording == "" || t.scenario.Expects(t.Failure.Verdict) {
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
		if found.Recording, err = run.WriteNew(c.inOut(run.ControlName(t.Recording)), found.Schedule.String()); err != nil {
			return err
		}
	}
	t.Search = &found.Search
	return c.journal.recorded(t.tally)
}

// searchBudget returns the budget of the next search.
func (c *campaign) searchBudget() outcome.SearchBudget {
	taken := time.Duration(0)
	for _, e := range c.entries {
		if s := e.searched(); s != nil {
			taken += s.Took
		}
	}
	return c.Search.Within(c.For, c.left(), taken)
}

// searched returns the search for the entry's failure, or nil if there was none.
func (e *entry) searched() *outcome.Search {
	if e.done != nil {
		return e.done.Search
	}
	return e.tally.Search
}
