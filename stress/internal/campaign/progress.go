package campaign

import (
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
)

// tick takes a sample if one is due, and notifies the observers of the progress.
func (c *campaign) tick(t *entry, executions int) {
	c.progress.Executions, c.progress.Faults = executions, t.Faults
	c.progress.Elapsed, c.progress.ScenarioElapsed = c.elapsed(), t.spent+c.now().Sub(t.start)
	c.progress.Failed = c.failed
	c.progress.Left = c.remaining(t, executions)
	c.sample()
	c.Observers.Notify(c.progress)
}

// remaining estimates the remaining time of the campaign. It returns 0 if that is unknown.
func (c *campaign) remaining(t *entry, executions int) time.Duration {
	if c.For > 0 {
		return c.left()
	}
	bound := c.Shard.Below(t.scenario, c.bound(t.scenario))
	if bound == 0 {
		return 0
	}
	done := float64(c.progress.Index) + min(float64(executions)/float64(bound), 1)
	if done == 0 {
		return 0
	}
	return time.Duration(float64(c.elapsed()) * (float64(c.progress.Scenarios) - done) / done)
}

// sample takes a sample if one is due.
func (c *campaign) sample() {
	memory, live := report.HeldNow()
	c.memory, c.live = max(c.memory, memory), max(c.live, live)
	if c.samples.Due(c.elapsed()) {
		c.takeSample()
	}
}

func (c *campaign) takeSample() {
	memory, live := report.HeldNow()
	s := report.Sample{
		Elapsed: c.elapsed(), Executions: c.executions + c.progress.Executions, Memory: max(c.memory, memory), Live: max(c.live, live),
	}
	c.memory, c.live = 0, 0
	c.samples.Add(s)
	if err := c.journal.sampled(s); err != nil && c.trouble == nil {
		c.trouble = err
	}
}
