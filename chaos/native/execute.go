package native

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/turns"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
)

// A Result says how an execution ended.
type Result struct {
	Outcome
	Seed   uint64 // of the plan
	Counts Counts
	Events []TaskEvents
}

// Execute arms the plan, calls subject on a goroutine of its own, watches it until it returns,
// is stuck, or the time is up, and disarms:
//
//	r, err := native.Execute(plan, func() { ... })
//	if err != nil { t.Fatal(err) }
//	if r.Kind != native.Finished { t.Fatal(r) }
//
// subject should build what it tests afresh, start its goroutines with hooks.Task, and wait for
// them. The options are those of Watch; goroutines that exist before the call are bystanders. A
// subject that does not finish stays behind with its goroutines. A task that panics ends the
// process; the plan's seed is written to standard error before.
//
// Execute waits until no other Execute, and no chaos.Explore, is running; its errors are those
// of Arm. A call by a task of an engine returns ErrArmed at once.
func Execute(p plan.Plan, subject func(), opts ...WatchOption) (Result, error) {
	if !hooks.Enabled {
		return Result{}, ErrNotChaos
	}
	release, err := turns.Take()
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrArmed, err)
	}
	defer release()
	bystanders := Baseline()
	engine, err := Arm(p)
	if err != nil {
		return Result{}, err
	}
	defer engine.Disarm()
	done := make(chan struct{})
	task := hooks.Task(func() {
		defer close(done) // also if the subject calls t.FailNow
		subject()
	})
	go task()
	outcome := Watch(done, engine, append([]WatchOption{WithIgnored(bystanders)}, opts...)...)
	return Result{Outcome: outcome, Seed: p.Seed, Counts: engine.Counts(), Events: engine.Events()}, nil
}

// String says how the execution ended; if it did not finish, also the seed, where each blocked
// goroutine is stopped, how often each fault fired, and the last event of each task.
func (r Result) String() string {
	if r.Kind == Finished {
		return r.Kind.String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, with seed %#x:\n", r.Kind, r.Seed)
	for _, g := range r.Blocked {
		fmt.Fprintf(&b, "  goroutine %d [%s] in %s\n", g.ID, g.State, g.Place())
	}
	hit := slices.ContainsFunc(r.Counts.Faults, func(f FaultCount) bool { return f.Hits > 0 })
	if !hit && len(r.Counts.Faults) > 0 {
		b.WriteString("  no fault could fire: no task in its scope passed its point\n")
	}
	for _, f := range r.Counts.Faults {
		if f.Hits == 0 {
			continue
		}
		fmt.Fprintf(&b, "  fault %s at %s fired %d of %d times", f.Kind, f.At, f.Fires, f.Hits)
		if f.Expired > 0 {
			fmt.Fprintf(&b, ", %d until its limit", f.Expired)
		}
		b.WriteByte('\n')
	}
	for _, t := range r.Events {
		if n := len(t.Events); n > 0 {
			fmt.Fprintf(&b, "  task %s, last %s\n", t.title(), strings.TrimSpace(t.Events[n-1].String()))
		}
	}
	return b.String()
}
