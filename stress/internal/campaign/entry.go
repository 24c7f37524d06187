package campaign

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

// An entry is a scenario in a campaign, with its results so far. It runs in turns.
type entry struct {
	*tally
	index   int                    // in the order of the campaign
	turns   int                    // turns that have begun
	spent   time.Duration          // time in the turns before the current one
	slice   time.Duration          // time of the current turn, if the campaign is bounded by time
	began   time.Duration          // begin of the current turn, since the campaign began
	start   time.Time              // the same as a time
	waiting waitingBatches         // of a controlled scenario
	done    *report.ScenarioReport // nil while turns may follow
	// journaled reports whether the journal has the entry.
	journaled bool
}

// entriesOf returns the entries of the scenarios, with the results of a campaign that is resumed.
func (c *campaign) entriesOf(scenarios []scenario.Scenario) (all []*entry) {
	for i := range scenarios {
		e := &entry{tally: newTally(&scenarios[i]), index: i, waiting: waitingBatches{}}
		if j := c.Resume; j != nil && j.entries[i] != nil {
			e = j.entries[i]
			if e.done != nil {
				e.tally = newTally(&scenarios[i])
			}
			e.scenario = &scenarios[i]
		}
		e.shard = c.Shard
		all = append(all, e)
	}
	return all
}

// executions returns the number of executions that are done.
func (e *entry) executions() int {
	if e.done != nil {
		return e.done.Executions
	}
	return e.tally.Executions + e.waiting.executions(e.Next)
}

// play runs a turn of a scenario, or the rest of the turn that was in progress.
func (c *campaign) play(ctx context.Context, e *entry, how func(context.Context, *entry) error) error {
	c.executions -= e.executions()
	err := c.begin(e)
	if err == nil {
		err = how(ctx, e)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	e.spent += c.now().Sub(e.start)
	c.executions += e.executions()
	c.progress.Executions = 0
	return err
}

// begin begins a turn, or continues the one that was in progress according to the journal.
func (c *campaign) begin(e *entry) error {
	if c.current != e {
		e.turns++
		e.slice, e.began, e.start = c.sliceOf(e), c.elapsed(), c.now()
	}
	c.current = nil
	c.progress = report.Progress{Scenario: e.scenario.Title(), Scenarios: len(c.entries), Executions: e.executions()}
	for _, other := range c.entries {
		switch {
		case other.turns == 0:
			continue
		case other != e:
			c.progress.Index++
		}
		c.progress.Turn += other.turns - 1
	}
	return c.journal.began(e)
}

// run runs the scenario until the turn is over.
func (c *campaign) run(ctx context.Context, e *entry) error {
	if e.scenario.Mode == scenario.Control {
		return c.runControlled(ctx, e)
	}
	return c.runNative(ctx, e)
}

// over reports whether nothing is left to do for a scenario that has had a turn.
func (c *campaign) over(e *entry) bool {
	if c.For == 0 {
		return true
	}
	sc, bound := e.scenario, c.bound(e.scenario)
	if sc.Mode == scenario.Control {
		return e.exhausted() || sc.Exhaustive() || bound > 0 && c.Shard.UnitFrom(sc, e.Next)*scenario.BatchSize >= bound
	}
	return e.settledBy(e.Next-1) || bound > 0 && c.Shard.Below(sc, e.Next) >= c.Shard.Below(sc, bound)
}

// wantsChance reports whether faults that have not fired may fire in some more executions.
func (e *entry) wantsChance() bool { return e.scenario.Mode != scenario.Control && e.lacksFires() }

// overdue reports whether a control, or a scenario with faults that have not fired, has had enough time
// to decide its verdict.
func (c *campaign) overdue(e *entry) bool {
	shares := 1.0
	if isControl(e) {
		shares = patience
	} else if len(e.silent()) == 0 {
		return false
	}
	return c.For > 0 && seconds(e)*weightOf(c.entries) >= shares*weight(e)*c.For.Seconds()
}

// decided reports whether a scenario needs no more turns: it is over, or it is overdue and has failed as
// a whole.
func (c *campaign) decided(e *entry) bool {
	if c.over(e) || !c.overdue(e) {
		return c.over(e)
	}
	s := e.summary(true)
	return s.Failed()
}

// finish ends a scenario: its verdict is final.
func (c *campaign) finish(e *entry) error {
	s := e.summary(true)
	e.done = &s
	if s.Failed() {
		c.failed++
	}
	err := c.journal.ended(e)
	c.Observers.Notify(e.done)
	return err
}

// summary returns the report of the scenario, which is done or has been interrupted.
func (e *entry) summary(done bool) report.ScenarioReport {
	s := e.tally.report(done)
	s.Index, s.Duration = e.index, e.spent
	return s
}

// finishAll ends the scenarios that are left when the time is up. Scenarios with faults that have not
// fired first get some more executions.
func (c *campaign) finishAll(ctx context.Context) error {
	for _, e := range c.entries {
		if e.done != nil {
			continue
		}
		if e.wantsChance() {
			if err := c.play(ctx, e, c.giveChance); err != nil {
				return err
			}
		}
		for _, b := range e.waiting.from(0) { // the batches they waited for will not run
			e.addBatch(e.waiting[b])
			delete(e.waiting, b)
		}
		if err := c.finish(e); err != nil {
			return err
		}
	}
	return nil
}

// reports returns the reports of all scenarios that have begun. It passes those of interrupted scenarios to the
// observers.
func (c *campaign) reports() (all []report.ScenarioReport) {
	for _, e := range c.entries {
		switch {
		case e.done != nil:
			all = append(all, *e.done)
		case e.turns > 0:
			s := e.summary(false)
			c.Observers.Notify(&s)
			all = append(all, s)
		}
	}
	return all
}
