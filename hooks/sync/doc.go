// Package sync is a drop-in for the standard package [sync] with hook points
// around every operation: change the import path, and each lock, wait, signal
// and once becomes a place where a test can delay the goroutine, let others
// overtake it, or lose a wake.
//
// # Normal build
//
// Types are aliases of the standard ones and functions are inlined calls of
// them: same machine code, same types, no symbol of this package in the binary.
//
// # Chaos build
//
// With the build tag "chaos" the types are defined anew, on the memory layout of
// the standard ones, but for Map, which also keeps an order for Range: zero values
// are ready to use, Cond.L and Pool.New are there, and go vet reports copies as
// before. Each operation passes its points (see points.go, or stress points) and
// runs the standard operation in between, so the race detector sees its edges, and
// no others. With no engine installed a point costs one atomic load, and an operation
// one more.
//
// What a fault can do beyond delaying and yielding:
//
//   - Cond.Signal and Cond.Broadcast: sent not at all, or twice. A lost one is
//     not what package sync does; it is what a bug in the code around it does.
//   - Cond.Wait: returns without having been woken. Go promises that this does
//     not happen; see [Cond.Wait] for whom it is fair to.
//   - Mutex.TryLock, RWMutex.TryLock, RWMutex.TryRLock: return false without having
//     tried. The documentation does not mention it, but the Go memory model does:
//     they may return false even when the lock is free.
//   - Pool.Get: a miss.
//
// Where one of these strikes, and nowhere else, the standard operation does not
// run, or runs twice. The function given to WaitGroup.Go becomes a task
// (hooks.Task).
//
// A delay at a point inside a critical section (sync/mutex-locked,
// sync/once-run, sync/cond-wait ...) is taken with the caller's own lock held, as
// a slow caller would hold it. This package holds nothing of its own, ever.
//
// # Limits
//
// In the chaos build *Mutex is not *sync.Mutex of the standard library, nor is
// any other type but Locker: where both builds must compile, a value that is
// passed to foreign code by its type has to stay the standard one. A go statement
// written out has to be written as hooks.Task asks; no import path can do that.
// Points tell plans which operation runs, not on which variable.
//
// This package imports hooks and the standard library only. Production code may
// import it; the packages under chaos must not, or an engine would observe
// itself.
package sync
