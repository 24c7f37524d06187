// Package pool is a work-stealing fork-join pool. Its workers sleep and wake by rayon's protocol
// (package sleep). A job that waits for another never blocks its worker, which runs other jobs
// meanwhile: a parent may wait for its child in a pool of one.
//
//	p, err := pool.New(4)
//	...
//	defer p.Close(context.Background())
//
//	err = p.Run(ctx, func(w *pool.Worker) error {
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
//     that must run nothing unrelated; [Worker.YieldNow] to run other jobs first
//   - [Worker.ScopeContext], [WithContext], or a context of your own to cancel
//
// # Rules
//
//   - A job learns from its [Worker] which worker runs it; whatever forks or waits takes that
//     handle. It is valid only on the goroutine that got it and until the job returns.
//   - The entries without a handle are for outsiders. Those that would block a worker of the same
//     pool panic with a [MisuseError] instead (Close returns an error).
//   - A worker that waits runs other jobs on the same stack. Hold no lock over a wait if another
//     job may want it, or wait within [Worker.Isolated].
//   - A job must not wait for one beneath it on the same stack. Where the pool detects that, the
//     wait returns a [DeadlockError].
//   - A panic is panicked again where the waiter is, as a [PanicError] that keeps the stack.
//     runtime.Goexit ends every job on its stack; their waiters get [ErrGoexit].
//
// [Pool.Stats] and [Pool.State] can be read at any time; package pool/poolprom exports them to
// Prometheus. docs/pool.md has the rules in full, limits and costs; README.md is about the
// implementation.
//
// The package imports sleep, hooks, its drop-ins, internal/self and the standard library, and must
// never import chaos or stress.
package pool
