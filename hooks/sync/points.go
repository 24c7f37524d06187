//go:build chaos

package sync

import "github.com/rouse-go/rouse/hooks"

// Two points enclose what may block (mutex-lock before it, mutex-locked behind
// it): before it a goroutine can be overtaken by others who want the same, behind
// it the others wait for this one. What only informs others (an unlock, a signal,
// Done) has its point before the operation, where they do not know yet; an unlock
// has one behind it as well, where a waiter on his way to sleep can be overtaken.

// Mutex.
var (
	mutexLock     = hooks.Declare("sync/mutex-lock", "about to lock: others can take the mutex first", hooks.Disturbs)
	mutexLocked   = hooks.Declare("sync/mutex-locked", "the mutex is held, at the start of the critical section: others queue up", hooks.Disturbs)
	mutexUnlock   = hooks.Declare("sync/mutex-unlock", "the mutex is still held, at the end of the critical section", hooks.Disturbs)
	mutexUnlocked = hooks.Declare("sync/mutex-unlocked", "the mutex is free: others can undo what the critical section established before its owner goes on", hooks.Disturbs)
	mutexTryLock  = hooks.Declare("sync/mutex-try-lock", "about to try the lock, which may fail although nobody holds it", hooks.Disturbs|hooks.Fails)
)

// RWMutex.
var (
	rwmutexLock     = hooks.Declare("sync/rwmutex-lock", "about to lock for writing: readers and writers can come first", hooks.Disturbs)
	rwmutexLocked   = hooks.Declare("sync/rwmutex-locked", "held for writing, at the start of the critical section: readers and writers queue up", hooks.Disturbs)
	rwmutexUnlock   = hooks.Declare("sync/rwmutex-unlock", "still held for writing, at the end of the critical section", hooks.Disturbs)
	rwmutexUnlocked = hooks.Declare("sync/rwmutex-unlocked", "no longer held for writing: others can undo what was established before its writer goes on", hooks.Disturbs)
	rwmutexTryLock  = hooks.Declare("sync/rwmutex-try-lock", "about to try the write lock, which may fail although nobody holds it", hooks.Disturbs|hooks.Fails)

	rwmutexRLock     = hooks.Declare("sync/rwmutex-rlock", "about to lock for reading: writers can come first", hooks.Disturbs)
	rwmutexRLocked   = hooks.Declare("sync/rwmutex-rlocked", "held for reading: writers queue up, and behind them new readers, even one that reads already", hooks.Disturbs)
	rwmutexRUnlock   = hooks.Declare("sync/rwmutex-runlock", "still held for reading, at the end of the section", hooks.Disturbs)
	rwmutexRUnlocked = hooks.Declare("sync/rwmutex-runlocked", "no longer held for reading: what was read can be changed before its reader acts on it", hooks.Disturbs)
	rwmutexTryRLock  = hooks.Declare("sync/rwmutex-try-rlock", "about to try the read lock, which may fail although no writer holds it", hooks.Disturbs|hooks.Fails)
)

// Cond.
var (
	condWait      = hooks.Declare("sync/cond-wait", "the condition was found false and L is held, but nobody waits yet: a signal sent without L is lost", hooks.Disturbs|hooks.SpuriousWakes)
	condWoken     = hooks.Declare("sync/cond-woken", "awake, and L is held again; others may have had L in between and made the condition false", hooks.Disturbs)
	condSignal    = hooks.Declare("sync/cond-signal", "the condition may be true already, but no waiter has been told", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	condBroadcast = hooks.Declare("sync/cond-broadcast", "the condition may be true already, but no waiter has been told", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
)

// WaitGroup.
var (
	waitgroupAdd    = hooks.Declare("sync/waitgroup-add", "about to change the count: a Wait that runs now does not know of it", hooks.Disturbs)
	waitgroupDone   = hooks.Declare("sync/waitgroup-done", "the work is done, but still counted", hooks.Disturbs)
	waitgroupGo     = hooks.Declare("sync/waitgroup-go", "the task is counted, but its goroutine does not exist yet", hooks.Disturbs)
	waitgroupWait   = hooks.Declare("sync/waitgroup-wait", "about to wait: the count can reach zero first, or rise", hooks.Disturbs)
	waitgroupWaited = hooks.Declare("sync/waitgroup-waited", "the count has been zero: it can be rising again", hooks.Disturbs)
)

// Once, and the functions made of it.
var (
	onceDo   = hooks.Declare("sync/once-do", "about to find out who is first", hooks.Disturbs)
	onceRun  = hooks.Declare("sync/once-run", "this goroutine is the one; the function has not begun, and all others wait for it", hooks.Disturbs)
	onceDone = hooks.Declare("sync/once-done", "the function has returned, here or elsewhere, and its effects can be seen", hooks.Disturbs)
)

// Map. A compare-and-swap offers no Fails: it is strong.
var (
	mapLoad             = hooks.Declare("sync/map-load", "about to look: the entry can still appear, change or go", hooks.Disturbs)
	mapStore            = hooks.Declare("sync/map-store", "about to store: others see the old entry, and what they store now will be overwritten", hooks.Disturbs)
	mapLoadOrStore      = hooks.Declare("sync/map-load-or-store", "about to look and, if nothing is there, to store: others can be first", hooks.Disturbs)
	mapLoadAndDelete    = hooks.Declare("sync/map-load-and-delete", "about to take the entry: others can take or replace it first", hooks.Disturbs)
	mapDelete           = hooks.Declare("sync/map-delete", "about to delete: others still see the entry, and can replace it by one that goes with it", hooks.Disturbs)
	mapSwap             = hooks.Declare("sync/map-swap", "about to exchange: others can change or take the entry first", hooks.Disturbs)
	mapCompareAndSwap   = hooks.Declare("sync/map-compare-and-swap", "the expected value was chosen earlier: others can still change it", hooks.Disturbs)
	mapCompareAndDelete = hooks.Declare("sync/map-compare-and-delete", "the expected value was chosen earlier: others can still change it", hooks.Disturbs)
	mapRange            = hooks.Declare("sync/map-range", "about to walk over the map, which is not a snapshot of it", hooks.Disturbs)
	mapRangeEntry       = hooks.Declare("sync/map-range-entry", "an entry has been read and not yet been shown: it can be gone already", hooks.Disturbs)
	mapClear            = hooks.Declare("sync/map-clear", "about to delete everything: what others store now goes with it", hooks.Disturbs)
)

// Pool.
var (
	poolGet = hooks.Declare("sync/pool-get", "about to look for a free object, which may fail although one was put back", hooks.Disturbs|hooks.Fails)
	poolPut = hooks.Declare("sync/pool-put", "about to give the object away: whoever uses it still will share it with its next owner", hooks.Disturbs)
)
