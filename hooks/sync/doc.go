// Package sync is a drop-in for the standard package [sync] with hook points around every
// operation: change the import path, and a test can delay the goroutine at each lock, wait,
// signal and once, let others overtake it, or lose a wake.
//
// # Normal build
//
// Types are aliases of the standard ones and functions are inlined calls of them: same machine
// code, same types, no symbol of this package in the binary.
//
// # Chaos build
//
// With the build tag "chaos" the types have the memory layout of the standard ones, but for Map,
// which also keeps an order for Range: zero values are ready to use, Cond.L and Pool.New are
// there, and go vet reports copies. Each operation passes its points (points.go, or stress
// points) around the standard operation, so that the race detector sees its edges, and no
// others. Without an engine a point costs one atomic load, and an operation one more.
//
// Faults can delay and yield at each point, and also:
//
//   - Cond.Signal and Cond.Broadcast: drop the notification, as a bug in the code around it
//     would, or send it twice.
//   - Cond.Wait: return without a signal, which Go promises not to do; see [Cond.Wait].
//   - Mutex.TryLock, RWMutex.TryLock, RWMutex.TryRLock: return false without having tried. The
//     Go memory model allows that even when the lock is free.
//   - Pool.Get: a miss.
//
// Only such a fault keeps the standard operation from running exactly once. The function given to
// WaitGroup.Go becomes a task (hooks.Task). A delay inside a critical section is taken with the
// caller's lock held; this package holds no lock of its own.
//
// # Limits
//
// In the chaos build the types, but for Locker, are not those of the standard library: a value
// that is passed to other code by its type has to stay the standard one. A go statement has to
// be written with hooks.Task. A point identifies the operation that runs, not its variable.
//
// This package imports internal/seam, hooks and the standard library. The packages under chaos
// must not import it: an engine would observe itself.
package sync
