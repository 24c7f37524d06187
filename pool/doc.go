// Package pool is a work-stealing fork-join pool. Its workers sleep and wake by rayon's protocol
// (package sleep), and a job that waits for another never blocks its worker: the worker runs other
// jobs meanwhile. So a parent may wait for its child in a pool of one.
//
//	p, err := pool.New(4)
//	...
//	defer p.Close(context.Background())
//
//	err = p.Run(ctx, func(w *pool.Worker) error {
//		var left, right int
//		w.Join(
//			func(w *pool.Worker) { left = count(w, tree.Left) },
//			func(w *pool.Worker) { right = count(w, tree.Right) },
//		)
//		...
//	})
//
// # At a glance
//
// From outside, on any goroutine that is not a worker:
//   - [Pool.Run] if you want to wait for one job; [Submit] if you want its result
//     later; [Pool.Go], [Pool.GoN] if nothing waits
//   - [Pool.InPlaceScope] if your own goroutine feeds many jobs and waits for all
//   - [Pool.Broadcast] if every worker is to do something once
//   - [Default] if you have no pool of your own
//
// Inside a job, with the handle w that it was given:
//   - [Worker.Join], [Join], [NewFn] for two halves; [Worker.Scope] for any number of
//     jobs; [Spawn] and [Future.Await] for results
//   - [For], [Map], [Filter], [Reduce], [Fold], [Find], [Sort], [ForEachSeq] for data
//   - [Worker.Go], [Worker.GoBroadcast] if nothing waits
//   - [Worker.Run], [Worker.Broadcast], [Worker.InPlaceScope] for another pool
//   - [Worker.Blocking] around what blocks for long; [Worker.Isolated] around waits
//     that must run nothing unrelated; [Worker.YieldNow] to let others go first
//   - [Worker.ScopeContext], [WithContext], or a context of your own to give up
//
// # The handle
//
// Go has no goroutine-local storage, so a job learns from its *Worker which worker runs it, and
// whatever forks or waits takes that handle. A handle is good only on the goroutine that got it and
// until the job returns; do not let another job or goroutine capture it - take the one that the
// other job is given.
//
// The entries without a handle - Pool.Run, Pool.Go, Submit, Future.Wait, Pool.Broadcast,
// Pool.InPlaceScope, Pool.Close - are for outsiders. Those that would block a worker of the same
// pool panic with a *MisuseError instead (Close returns an error). In a job of another pool they
// block that job's worker hard: Worker.Blocking around them puts a spare in its place.
//
// With the build tag chaos the latter is a *MisuseError, too, and so is a handle used on a
// goroutine that is not its worker's.
//
// # Waiting
//
// A worker that waits runs other jobs on top of the one that waits, on the same goroutine. So a job
// must not hold a lock over a Join, a Scope or a Worker.Run if another job may want that lock: it
// may find itself waiting for itself. Nor can a short wait end before a long job that was begun on
// top of it. Worker.Isolated cures both: within it, a wait runs only what it waits for. What is not
// the pool's to know - a channel, a lock, a system call - blocks the worker; Worker.Blocking puts a
// spare worker in its place.
//
// A wait that is buried under other jobs ends when they have ended: none of the pool's waits holds
// meanwhile what others need. What cannot end is a job on top that waits for one beneath it.
// Future.Await, Worker.Wait, Worker.Close and Worker.Broadcast return a *DeadlockError then, the
// first two also if what they wait for waits, on other workers and through futures, runs and joins,
// for a job beneath; Join, Scope and Worker.Run wait only for jobs that they have started
// themselves. Not detected, and to be avoided by Worker.Isolated around the wait beneath: a job on
// top that waits by other means (Future.Done, a channel, Blocking), or through a scope, a broadcast
// or a close on another worker.
//
// # Panics and Goexit
//
// A panic crosses Join, Scope, Run, Await and the loops as in rayon: it is panicked again, as a
// *PanicError that keeps the stack, where a waiter is. If nothing waits (Go), the panic handler
// gets it; without a handler the process crashes. runtime.Goexit, and so t.FailNow, ends every job
// on its stack: their waiters see ErrGoexit, once whatever they had started is over; if that
// panics, the Goexit wins. The worker's place is taken by a fresh goroutine. Each Goexit on top of
// one long wait costs about a kilobyte of stack until that wait ends.
//
// # Cost
//
// A fork that is not stolen is a few loads and stores, and no fence: [Fn.Join] and the function
// [Join] allocate nothing, [Worker.Join] the closure of its second half and the variables that
// share it; where [Worker.Saturated] is true, code that forks through closures calls its halves one
// after the other instead. A loop does leaf after leaf, two loads each, until a worker runs out of
// work. For a worker keeps its newest forks to itself while all are busy. A worker that runs out of
// work asks for them, and gets them when their owner next forks or ends half a join: after one leaf
// at the latest ([WithSharedForks] shares all at once). Other jobs - Go, scopes, batches - can be
// stolen at once. The module bench compares all this with rayon, TBB and the pools of Go.
//
// # Stack
//
// A nested Join takes 160 bytes of stack, its closure's frame included, a Fn.Join 144; a job that
// is run on top of a scope's wait takes 1000, one on top of a yield 384 (amd64, functions that keep
// nothing on the stack themselves). So a million nested joins fit into a quarter of Go's limit of 1
// GB. The tests that measure it:
//
//	go test -run 'MillionNestedJoins|DeepRecursion' -v ./pool
//
// # Watching it
//
// [Pool.Stats] counts jobs, joins, steals, sleeps, wakes, and the time that workers have slept;
// workers publish their counts when they run out of work, so that a join pays one plain increment.
// [Pool.State] is what each worker does or sleeps on; it prints as a table, and both are groups for
// log/slog. All of it can be read at any time. Package pool/poolprom shows pools to Prometheus.
// Workers carry the profile labels "pool" and "worker" (runtime/pprof), which the goroutines
// inherit that jobs start. While runtime/trace is on, each job that came out of a queue is a region
// "pool.job".
//
// # Imports
//
// The package imports sleep, hooks, its drop-ins, internal/self and the standard library, and must
// never import chaos or stress.
package pool
