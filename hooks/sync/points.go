//go:build chaos

package sync

import "github.com/rouse-go/rouse/internal/seam"

// An operation that may block has two points (mutex-lock before it, mutex-locked after it): before
// it the goroutine can be overtaken by others, after it the others wait for this one. One that only
// notifies (an unlock, a signal, Done) has its point before it; an unlock has one after it as well,
// where a waiter that is about to sleep can be overtaken.

// Mutex.
var (
	mutexLock     = seam.DeclareOperation("sync/mutex-lock", "about to lock: others can take the mutex first", seam.Disturb)
	mutexLocked   = seam.DeclareOperation("sync/mutex-locked", "the mutex is held, at the start of the critical section: others queue up", seam.Disturb)
	mutexUnlock   = seam.DeclareOperation("sync/mutex-unlock", "the mutex is still held, at the end of the critical section", seam.Disturb)
	mutexUnlocked = seam.DeclareOperation("sync/mutex-unlocked", "the mutex is free: others can undo what the critical section established before its owner continues", seam.Disturb)
	mutexTryLock  = seam.DeclareOperation("sync/mutex-try-lock", "about to try the lock, which may fail although it is free", seam.Disturb|seam.Fail)
)

// RWMutex.
var (
	rwmutexLock     = seam.DeclareOperation("sync/rwmutex-lock", "about to lock for writing: readers and writers can come first", seam.Disturb)
	rwmutexLocked   = seam.DeclareOperation("sync/rwmutex-locked", "held for writing, at the start of the critical section: readers and writers queue up", seam.Disturb)
	rwmutexUnlock   = seam.DeclareOperation("sync/rwmutex-unlock", "still held for writing, at the end of the critical section", seam.Disturb)
	rwmutexUnlocked = seam.DeclareOperation("sync/rwmutex-unlocked", "no longer held for writing: others can undo what was established before its writer continues", seam.Disturb)
	rwmutexTryLock  = seam.DeclareOperation("sync/rwmutex-try-lock", "about to try the write lock, which may fail although it is free", seam.Disturb|seam.Fail)

	rwmutexRLock     = seam.DeclareOperation("sync/rwmutex-rlock", "about to lock for reading: writers can come first", seam.Disturb)
	rwmutexRLocked   = seam.DeclareOperation("sync/rwmutex-rlocked", "held for reading: writers queue up, and behind them new readers, even one that reads already", seam.Disturb)
	rwmutexRUnlock   = seam.DeclareOperation("sync/rwmutex-runlock", "still held for reading, at the end of the section", seam.Disturb)
	rwmutexRUnlocked = seam.DeclareOperation("sync/rwmutex-runlocked", "no longer held for reading: what was read can be changed before its reader acts on it", seam.Disturb)
	rwmutexTryRLock  = seam.DeclareOperation("sync/rwmutex-try-rlock", "about to try the read lock, which may fail although no writer holds it", seam.Disturb|seam.Fail)
)

// Cond.
var (
	condWait      = seam.DeclareOperation("sync/cond-wait", "the condition was found false and L is held, but the task does not wait yet: a signal sent without L is lost", seam.Disturb|seam.Spurious)
	condWoken     = seam.DeclareOperation("sync/cond-woken", "awake, and L is held again; others may have had L in between and made the condition false", seam.Disturb)
	condSignal    = seam.DeclareOperation("sync/cond-signal", "the condition may be true already, but no waiter is notified yet", seam.Disturb|seam.Drop|seam.Duplicate)
	condBroadcast = seam.DeclareOperation("sync/cond-broadcast", "the condition may be true already, but no waiter is notified yet", seam.Disturb|seam.Drop|seam.Duplicate)
)

// WaitGroup.
var (
	waitgroupAdd    = seam.DeclareOperation("sync/waitgroup-add", "about to change the count: a Wait that runs now does not know of it", seam.Disturb)
	waitgroupDone   = seam.DeclareOperation("sync/waitgroup-done", "the work is done, but still counted", seam.Disturb)
	waitgroupGo     = seam.DeclareOperation("sync/waitgroup-go", "the task is counted, but its goroutine does not exist yet", seam.Disturb)
	waitgroupWait   = seam.DeclareOperation("sync/waitgroup-wait", "about to wait: the count can reach zero first, or rise", seam.Disturb)
	waitgroupWaited = seam.DeclareOperation("sync/waitgroup-waited", "the count has been zero: it can be rising again", seam.Disturb)
)

// Once, and the functions made of it.
var (
	onceDo   = seam.DeclareOperation("sync/once-do", "about to find out which caller is first", seam.Disturb)
	onceRun  = seam.DeclareOperation("sync/once-run", "this goroutine is the one; the function has not begun, and all others wait for it", seam.Disturb)
	onceDone = seam.DeclareOperation("sync/once-done", "the function has returned, here or elsewhere, and its effects can be seen", seam.Disturb)
)

// Map. A compare-and-swap offers no Fails: it is strong.
var (
	mapLoad             = seam.DeclareOperation("sync/map-load", "about to look: the entry can still appear, change or go", seam.Disturb)
	mapStore            = seam.DeclareOperation("sync/map-store", "about to store: others see the old entry, and what they store now will be overwritten", seam.Disturb)
	mapLoadOrStore      = seam.DeclareOperation("sync/map-load-or-store", "about to look and, if nothing is there, to store: others can be first", seam.Disturb)
	mapLoadAndDelete    = seam.DeclareOperation("sync/map-load-and-delete", "about to take the entry: others can take or replace it first", seam.Disturb)
	mapDelete           = seam.DeclareOperation("sync/map-delete", "about to delete: others still see the entry, and can replace it by one that goes with it", seam.Disturb)
	mapSwap             = seam.DeclareOperation("sync/map-swap", "about to exchange: others can change or take the entry first", seam.Disturb)
	mapCompareAndSwap   = seam.DeclareOperation("sync/map-compare-and-swap", "the expected value was chosen earlier: others can still change it", seam.Disturb)
	mapCompareAndDelete = seam.DeclareOperation("sync/map-compare-and-delete", "the expected value was chosen earlier: others can still change it", seam.Disturb)
	mapRange            = seam.DeclareOperation("sync/map-range", "about to walk over the map, which is not a snapshot of it", seam.Disturb)
	mapRangeEntry       = seam.DeclareOperation("sync/map-range-entry", "an entry has been read and not yet been shown: it can be gone already", seam.Disturb)
	mapClear            = seam.DeclareOperation("sync/map-clear", "about to delete everything: what others store now goes with it", seam.Disturb)
)

// Pool.
var (
	poolGet = seam.DeclareOperation("sync/pool-get", "about to look for a free object, which may fail although one was put back", seam.Disturb|seam.Fail)
	poolPut = seam.DeclareOperation("sync/pool-put", "about to give the object away: a task that still uses it will share it with its next owner", seam.Disturb)
)
