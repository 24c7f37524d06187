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
// # Which entry for what
//
//	you want                        from outside             in a job, with its handle w
//	one job, and wait for it        Pool.Run                 call it; Worker.Run: in another pool
//	its result later                Submit, Future.Wait      Spawn, Future.Await
//	a job that nothing waits for    Pool.Go, GoN, TryGo      Worker.Go, GoN, GoFIFO
//	two halves                      -                        Join, Worker.Join, NewFn
//	any number of jobs, wait        Pool.InPlaceScope        Worker.Scope, ScopeFIFO
//	the same, with errors           Group (as errgroup's)    Group
//	at most n of them at a time     Group.SetLimit           Group.SetLimit
//	loops, searches, sorts          -                        For, Map, Filter, Reduce, Find, Sort
//	loops that may fail             -                        ForErr, MapErr
//	a sequence instead of a slice   -                        ForEachSeq, MapSeq
//	results one by one, as iterator Results                  Results, ResultsUnordered
//	something once on each worker   Pool.Broadcast           Worker.Broadcast, GoBroadcast
//	a scope in another pool         -                        Worker.InPlaceScope
//	to cancel what has not begun    the context of Run       ScopeContext, Until
//	to block: I/O, channels, locks  Group.SetBlocking        Worker.Blocking, Group.SetBlocking
//	a wait that runs nothing else   -                        Worker.Isolated
//	to let other jobs run           -                        Worker.YieldNow
//
// Where the column for outside is empty, call [Pool.Run] and use the entry in its job. [Default] is
// the pool for programs that make none.
//
// # Rules
//
//   - A job learns from its [Worker] which worker runs it; whatever forks or waits takes that
//     handle. It is valid only on the goroutine that got it and until the job returns.
//   - The entries without a handle are for outsiders. Those that would block a worker of the same
//     pool panic with a [MisuseError] instead (Close returns an error). A [Group] is for both: it
//     finds out which worker calls.
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
