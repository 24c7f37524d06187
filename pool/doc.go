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
// Worker.Go, Worker.Run, Future.Await, the loops. A handle is good only on the
// goroutine that got it and until the job returns; do not let another job or
// goroutine capture it - take the one that the other job is given.
//
// The entries without a handle - Pool.Run, Pool.Go, Submit, Future.Wait,
// Pool.Broadcast, Pool.InPlaceScope, Pool.Close - are for outsiders. Inside a job of
// any pool those that wait block that job's worker hard, and may deadlock (Close
// returns an error instead).
//
// With the build tag chaos the pool looks: a worker that calls an entry for outsiders
// which waits, and a handle used on a goroutine that is not its worker's, end in a
// panic with a *MisuseError that names the entry and the workers.
//
// # Waiting
//
// A worker that waits runs other jobs on top of the one that waits, on the same
// goroutine. So a job must not hold a lock over a Join, a Scope or a Worker.Run if
// another job may want that lock: it may find itself waiting for itself. Nor can a
// short wait end before a long job that was begun on top of it. Worker.Isolated cures
// both: within it, a wait runs only what it waits for. What is not the pool's to
// know - a channel, a lock, a system call - blocks the worker; Worker.Blocking puts a
// spare worker in its place.
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
