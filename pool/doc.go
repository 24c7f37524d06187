// Package pool is a work-stealing fork-join pool. Its workers sleep and wake by
// rayon's protocol (package sleep), and a job that waits for another never blocks
// its worker: the worker runs other jobs meanwhile. So a parent may wait for its
// child in a pool of one.
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
// # The handle
//
// Go has no goroutine-local storage, so a job learns from its *Worker which
// worker runs it, and whatever forks or waits takes that handle: Join, Scope,
// Worker.Go, Worker.Run. A handle is good only on the goroutine that got it and
// until the job returns; do not let another job or goroutine capture it - take
// the one that the other job is given.
//
// The entries without a handle - Pool.Run, Pool.Go, Pool.Broadcast, Pool.Close -
// are for outsiders. Inside a job of any pool, Run, Broadcast and Close block that
// job's worker hard, and may deadlock.
//
// A worker that waits runs other jobs on top of the one that waits, on the same
// goroutine. So a job must not hold a lock over a Join, a Scope or a Worker.Run if
// another job may want that lock: it may find itself waiting for itself.
//
// # Panics and Goexit
//
// A panic crosses Join, Scope and Run as in rayon: it is panicked again, as a
// *PanicError that keeps the stack, where somebody waits. If nobody does (Go),
// the panic handler gets it; without a handler the process crashes.
// runtime.Goexit, and so t.FailNow, ends every job on its stack: their waiters
// see ErrGoexit, once whatever they had started is over; if that panics, the
// Goexit wins. The worker's place is taken by a fresh goroutine. Each Goexit on top
// of one long wait costs about a kilobyte of stack until that wait ends.
//
// # Imports
//
// The package imports sleep, hooks, its drop-ins and the standard library, and
// must never import chaos or stress.
package pool
