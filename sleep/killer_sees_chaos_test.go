//go:build chaos

package sleep

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
)

// The positive controls of the oracles, without a mutant: faults of a plan, a counter
// that is too narrow, and corrupted counters and latches.
func TestKillersSee(t *testing.T) {
	fault := func(at string, kind hooks.FaultKind) plan.Plan {
		return plan.Plan{Faults: []plan.Fault{{At: at, Kind: kind}}}
	}
	two := killer{workers: 2, jobs: 2, jec: 1}
	for name, c := range map[string]struct {
		killer
		plan   plan.Plan
		meddle func(r *killerRun)
		want   verdict.Verdict
	}{
		"a notification dropped":         {two, fault("sleep/wake-notify", hooks.Drops), nil, verdict.LostWakeup},
		"a latch's notification dropped": {two, fault("sleep/latch-set-notify", hooks.Drops), nil, verdict.LostWakeup},
		"roll-over, no final check":      {killer{workers: 2, jobs: 2, jec: 1, meet: 2}, fault("sleep/final-check-post", hooks.Fails), nil, verdict.LostWakeup},
		"roll-over, internal jobs":       {killer{workers: 3, jobs: 3, jec: 1, meet: 3, internal: true}, plan.Plan{}, nil, verdict.LostParallelism},
		"a unit too many, audited":       {two, plan.Plan{}, func(r *killerRun) { r.jec().counters.value.Add(uint64(oneSleeping)); r.audit() }, verdict.Invariant},
		"a worker too many, in the end":  {two, plan.Plan{}, func(r *killerRun) { r.jec().counters.addInactive() }, verdict.Invariant},
		"a job run by a sleeper":         {two, plan.Plan{}, func(r *killerRun) { r.latches[0].state.Store(uint32(Sleeping)) }, verdict.Invariant},
	} {
		e := controlled(t, strategy.PCT(5), c.plan)
		v, n := verdict.Pass, 0
		for ; v == verdict.Pass && n < 100_000; n++ {
			var run *killerRun
			x, _ := e.Run(strategy.ChildKey(1, n), func() {
				run = c.start(e)
				if c.meddle != nil {
					c.meddle(run)
				}
				run.inject()
				run.stop()
			})
			if v = x.Verdict; v == verdict.Pass {
				v, _ = run.left()
			}
		}
		e.Close()
		if v != c.want {
			t.Errorf("%s: %s in execution %d, want %s", name, v, n, c.want)
		} else {
			t.Logf("%s: %s in execution %d", name, v, n)
		}
	}
}
