// Package native injects faults while goroutines run in parallel: in real time, on all cores,
// with or without the race detector.
//
//	engine, err := native.Arm(chaos.Plan{Seed: 7, Faults: []chaos.Fault{
//		{At: "queue/pushed", Kind: hooks.Delays, Probability: 0.1, Max: time.Millisecond},
//		{At: "queue/notify", Kind: hooks.Drops, Count: 1, Task: "producer"},
//	}})
//	if err != nil { ... }
//	defer engine.Disarm()
//	... run the subject ...
//	outcome := native.Watch(done, engine)
//
// With one seed, the same visit of the same task gets the same decision in each run. Which
// visits happen, and in which order, depends on the machine. docs/native.md documents how a plan
// is applied, which parts are reproducible, and the cost of a visit.
//
// Bookkeeping is invisible to the race detector: it creates no happens-before edge, so that a
// race stays a race with hooks on both sides of it. (Packages fmt and log do create edges,
// through sync.Pool.) No lock is held while a task is delayed, held or yields.
//
// # Limits
//
// On a platform for which internal/self has no assembly, all goroutines are one task,
// "foreign/0": plans without Task still work, draws depend on timing, and visits take a lock.
// Goroutines that the runtime starts for a timer (time.AfterFunc) are foreign.
//
// The package imports chaos/plan, chaos/internal, hooks, internal/seam and internal/self. It
// must never import chaos, which has command-line flags, nor pool, sleep or stress.
package native
