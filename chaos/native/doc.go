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
// # What a plan means
//
// At each visit of a hook point, its faults are considered in the order of the plan; plan.Fault
// says when one fires. A count bounds the firings of all tasks together, and timing decides
// which task gets the last one. Every fault that fires acts:
//
//   - delays add up, and the task sleeps once;
//   - a hold begins after the sleep, and of several the last one wins; yields follow;
//   - of drops and duplicates the last one wins;
//   - fail and spurious have the same effect: one is enough;
//   - a roll starts from the result of the roll before it.
//
// A hold ends within a millisecond after another task's visit of the other point; or by its
// limit or by Disarm, which is counted (FaultCount.Expired). Watch takes a held task for slow,
// not stuck.
//
// A delay ends before the verb returns, so it stretches the window that the point opens. It
// lasts at least as long as drawn, and longer by what timers add, some 50 µs on an idle Linux.
//
// # What is reproducible
//
// A draw is a hash of the plan's seed, the task's path, the point's name, the number of the
// task's visit of the point, and the index of the fault. It depends on no other goroutine: with
// one seed, the same visit of the same task gets the same decision in each run. Which visits
// there are, and their order, is up to the machine; and so is what a count cuts off.
//
// A task's path is its place in the tree of go statements: "main" called Arm, "main/2" is the
// body of its third hooks.Task. A goroutine started without hooks.Task is "foreign/n", the n-th
// that reached a hook; that order is timing, so its decisions are not reproducible, and a
// goroutine may continue the stream of a foreign one that has ended. If a wrapped body is
// called more than once, the calls after the first are foreign.
//
// # Effect on the subject
//
// No lock is held while a task is delayed, held or yields. Bookkeeping is invisible to the race
// detector: it creates no happens-before edge, so that a race stays a race with hooks on both
// sides of it. (Packages fmt and log do create edges, through sync.Pool.)
//
// A visit of a point without faults takes about 80 ns, each fault considered 20 ns more, and a
// task a microsecond from start to end; with the race detector, five times as much.
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
