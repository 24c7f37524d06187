// Package native injects faults while goroutines run truly parallel: in real
// time, on as many cores as there are, with the race detector if one likes.
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
// At each visit of a hook point, the faults that the plan has for this point are
// considered in the order of the plan. When each fires is written down at plan.Fault:
// scope, then the number of the hit, then a draw, then the count. A count bounds the
// firings of all tasks together; who gets the last one is a matter of timing.
//
// Every fault that fires acts:
//
//   - delays add up, and the task sleeps once;
//   - a hold begins after the sleep, and of several the last one wins; yields follow;
//   - of drops and duplicates the last one wins;
//   - fail and spurious are the same to the caller: one is enough;
//   - a roll starts from what the roll before it returned.
//
// A hold ends when another task's visit of the other point is over, which the task that
// is held notices within a millisecond; or by its limit, so that nothing hangs for
// good, or by Disarm, and both are counted (FaultCount.Expired). To Watch, a task that
// is held is slow, not stuck.
//
// The delay comes before the verb returns, so it stretches the window that the
// point opens: between a check and the wait, between a push and the wake. A delay
// lasts at least as long as it was drawn; the operating system's timers add
// what they add, some 50 µs on an idle Linux.
//
// # What is reproducible
//
// A draw is a hash of the plan's seed, the path of the task, the name of the
// point, how often this task has visited this point, and the number of the fault
// in the plan. It depends on nothing that another goroutine does, so two runs
// with one seed take the same decision at the same visit of the same task
// whatever their timing. Which visits there are, and in which order, is not
// decided here but by the machine. Counts are the exception: what they cut off
// depends on who came first.
//
// A task's path is its place in the tree of go statements: "main" called Arm,
// "main/2" is the body of its third hooks.Task. A goroutine that was started
// without hooks.Task is "foreign/n", the n-th such goroutine that reached a hook;
// that order is timing, so its decisions are not reproducible, and a goroutine
// may go on with the stream of a foreign one that has ended. If a wrapped body
// is called more than once, the first call is the task and the others are
// foreign.
//
// # What it does to the subject
//
// No lock is held while a task is delayed, held or yields, and tasks that are delayed
// at one point sleep at the same time. Bookkeeping is invisible to the race
// detector: it reports no race of its own and creates no happens-before edge, so
// that a race stays a race with hooks on both sides of it. (Package fmt, log and
// whatever else keeps a sync.Pool do create edges: print little between the
// accesses that are to race.)
//
// Otherwise it costs time. A visit of a point without faults takes about 80 ns,
// half of it for reading the clock, and each fault that is considered 20 ns more; a
// task takes a microsecond from start to end, some 100 ns of it under a lock that
// all tasks share. With the race detector it is about five times as much.
//
// # Limits
//
// On an architecture or compiler for which internal/self has no assembly,
// all goroutines are one task, "foreign/0": plans without Task still work,
// draws depend on timing, and visits take a lock.
//
// Goroutines that the runtime starts for a timer (time.AfterFunc) are foreign.
// After Disarm a delayed goroutine may sleep on for up to 20 ms.
//
// # Watching
//
// A subject whose notification was dropped does not end. Watch tells that from a
// subject that is slow, by goroutine dumps; its documentation says what it cannot
// see. Dumps never reach a decision of the engine.
//
// The package imports chaos/plan and the internals of chaos, hooks, internal/seam and internal/self, and
// must never import chaos, which has command-line flags, nor pool, sleep or stress: it serves anyone's code.
package native
