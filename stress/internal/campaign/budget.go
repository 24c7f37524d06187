package campaign

import (
	"time"

	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// leftOf returns the remaining time of the scenario's turn.
func (c *campaign) leftOf(e *entry) time.Duration { return e.slice - c.now().Sub(e.start) }

// Executions that run even if the time is up.
const (
	// leastControlled is for a controlled scenario. They mostly take a few hundredths of a second.
	leastControlled = 64
	// mostForFires is the maximum for a native scenario, to give its faults a chance to fire;
	// fewExecutions run at a time.
	mostForFires, fewExecutions = 48, 4
)

// mostExecutions bounds the executions that give the faults a chance to fire.
func (t *tally) mostExecutions() int {
	if t.scenario.Executions > 0 {
		return min(t.shard.Below(t.scenario, t.scenario.Executions), mostForFires)
	}
	return mostForFires
}

// lacksFires reports whether nothing has failed, but some faults have not fired and a few more
// executions may change that.
func (t *tally) lacksFires() bool {
	return t.Failure == nil && t.Executions < t.mostExecutions() && len(t.silent()) > 0
}

// request returns the request to the next child, from execution n on, or false if nothing is left to
// do.
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

// bound returns the bound on the numbers of the scenario's executions; 0 is no bound.
func (c *campaign) bound(sc *scenario.Scenario) int {
	if c.Executions > 0 {
		return max(c.Executions, sc.Settings())
	}
	return sc.Executions
}
