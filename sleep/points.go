package sleep

import "github.com/rouse-go/rouse/hooks"

// Hook points, in the order in which the protocol passes them. The letter and number are the step
// that the point belongs to.
var (
	// A: going idle.
	pointIdleEnter   = hooks.Declare("sleep/idle-enter", "A4: out of work, not yet counted as inactive", hooks.Disturbs)
	pointIdleEntered = hooks.Declare("sleep/idle-entered", "A4: counted as inactive, has not searched yet", hooks.Disturbs)

	// C: work found, or the latch set: leaving the idle state.
	pointFoundDecPre  = hooks.Declare("sleep/found-dec-pre", "C: leaves the idle state, still counted as inactive", hooks.Disturbs)
	pointFoundDecPost = hooks.Declare("sleep/found-dec-post", "C: no longer inactive, has not yet woken others in its place", hooks.Disturbs)
	pointFoundWake    = hooks.Declare("sleep/found-wake", "C: wakes up to two sleepers to take its place among the idle", hooks.Disturbs|hooks.Drops|hooks.Duplicates)

	// D: announcing sleepiness.
	pointSleepyLoad      = hooks.Declare("sleep/sleepy-load", "D: its searches have failed, has not yet announced that it is sleepy", hooks.Disturbs)
	pointSleepyCASWindow = hooks.Declare("sleep/sleepy-cas-window", "D: has read the counters, has not yet made the JEC even (fail: the CAS loses)", hooks.Disturbs|hooks.Fails)
	pointSleepyWrite     = hooks.Declare("sleep/sleepy-write", "D: knows the even JEC that announces it, has not written it (roll: what it writes)", hooks.Disturbs|hooks.Rolls)
	pointSleepyDone      = hooks.Declare("sleep/sleepy-done", "D: sleepy; the JEC it remembers is one search away from being compared", hooks.Disturbs)

	// F: falling asleep.
	pointLatchGetSleepyPre   = hooks.Declare("sleep/latch-get-sleepy-pre", "F1: the last search is over, the latch still says UNSET", hooks.Disturbs)
	pointLatchGetSleepyPost  = hooks.Declare("sleep/latch-get-sleepy-post", "F1: the latch says SLEEPY, or SET; a setter need not notify yet", hooks.Disturbs)
	pointLockPre             = hooks.Declare("sleep/lock-pre", "F2: about to take its own sleep lock", hooks.Disturbs)
	pointLockPost            = hooks.Declare("sleep/lock-post", "F2: holds its own sleep lock, not yet asleep", hooks.Disturbs)
	pointLatchFallAsleepPre  = hooks.Declare("sleep/latch-fall-asleep-pre", "F3: the latch still says SLEEPY", hooks.Disturbs)
	pointLatchFallAsleepPost = hooks.Declare("sleep/latch-fall-asleep-post", "F3: the latch says SLEEPING, or SET; from here a setter must notify", hooks.Disturbs)
	pointJECCheck            = hooks.Declare("sleep/jec-check", "F4: has read the counters, compares the JEC with the one it remembers (roll: what it reads)", hooks.Disturbs|hooks.Rolls)
	pointCASWindow           = hooks.Declare("sleep/cas-window", "F5: the JEC is unchanged, not yet counted as sleeping (fail: the CAS loses)", hooks.Disturbs|hooks.Fails)
	pointRegistered          = hooks.Declare("sleep/registered", "F6: after IncSleepers, before SleepFence", hooks.Disturbs)
	pointFenced              = hooks.Declare("sleep/fenced", "F6: after SleepFence, before ReadJob: the injector is read next", hooks.Disturbs)
	pointFinalCheckPre       = hooks.Declare("sleep/final-check-pre", "F7: about to look for injected jobs one last time", hooks.Disturbs)
	pointFinalCheckPost      = hooks.Declare("sleep/final-check-post", "F7: has looked for injected jobs one last time (fail: overlooks what it found)", hooks.Disturbs|hooks.Fails)
	pointBlockPre            = hooks.Declare("sleep/block-pre", "F8: found nothing, is about to block; holds its sleep lock", hooks.Disturbs)
	pointBlock               = hooks.Declare("sleep/block", "F8: marked as blocked, waits for its notification (spurious: wakes without one)", hooks.Disturbs|hooks.SpuriousWakes)
	pointWoken               = hooks.Declare("sleep/woken", "F9: awake again, the latch still says SLEEPING, or SET", hooks.Disturbs)
	pointLatchWakeUpPre      = hooks.Declare("sleep/latch-wake-up-pre", "F4, F9: about to turn the latch from SLEEPING back to UNSET", hooks.Disturbs)
	pointLatchWakeUpPost     = hooks.Declare("sleep/latch-wake-up-post", "F4, F9: the latch is UNSET or SET; the sleep lock is still held", hooks.Disturbs)

	// H: new jobs.
	pointPostLoad      = hooks.Declare("sleep/post-load", "H1: the job is in, the counters have not been read", hooks.Disturbs)
	pointPostCASWindow = hooks.Declare("sleep/post-cas-window", "H1: has read the counters, has not yet made the JEC odd (fail: the CAS loses)", hooks.Disturbs|hooks.Fails)
	pointPostWrite     = hooks.Declare("sleep/post-write", "H1: knows the odd JEC that announces the job, has not written it (roll: what it writes)", hooks.Disturbs|hooks.Rolls)
	pointPostCounters  = hooks.Declare("sleep/post-counters", "H1: has its snapshot of the counters, decides by it from here on", hooks.Disturbs)
	pointPostDecide    = hooks.Declare("sleep/post-decide", "H3: knows how many to wake, has woken none", hooks.Disturbs)

	// Q: sleeping privately.
	pointPrivateLockPre   = hooks.Declare("sleep/private-lock-pre", "Q2: may run some jobs only, about to take its own sleep lock", hooks.Disturbs)
	pointPrivateLockPost  = hooks.Declare("sleep/private-lock-post", "Q2: holds its own sleep lock, not yet asleep", hooks.Disturbs)
	pointPrivateCheckPre  = hooks.Declare("sleep/private-check-pre", "Q4: about to look for jobs of its own one last time; holds its sleep lock", hooks.Disturbs)
	pointPrivateCheckPost = hooks.Declare("sleep/private-check-post", "Q4: has looked for jobs of its own one last time (fail: overlooks what it found)", hooks.Disturbs|hooks.Fails)
	pointPrivateBlockPre  = hooks.Declare("sleep/private-block-pre", "Q5: found nothing, is about to block; holds its sleep lock", hooks.Disturbs)
	pointPrivateWoken     = hooks.Declare("sleep/private-woken", "Q6: awake again, the latch still says SLEEPING, or SET", hooks.Disturbs)

	// U: Tickle.
	pointTickleFound           = hooks.Declare("sleep/tickle-found", "U2: was sleepy, has found work, has not tickled yet", hooks.Disturbs)
	pointTickleSleepyCASWindow = hooks.Declare("sleep/tickle-sleepy-cas-window", "U4: no worker is sleepy, not yet the sleepy one (fail: the CAS loses)", hooks.Disturbs|hooks.Fails)
	pointTickleSleepLock       = hooks.Declare("sleep/tickle-sleep-lock", "U5: still the sleepy one, about to take the lock", hooks.Disturbs)
	pointTickleSleepCASWindow  = hooks.Declare("sleep/tickle-sleep-cas-window", "U5: holds the lock, not yet asleep (fail: the CAS loses)", hooks.Disturbs|hooks.Fails)
	pointTickleSleepWait       = hooks.Declare("sleep/tickle-sleep-wait", "U5: the state says that workers sleep, about to wait; holds the lock", hooks.Disturbs)
	pointTickleWait            = hooks.Declare("sleep/tickle-wait", "U5: waits for a tickle (spurious: wakes without one)", hooks.Disturbs|hooks.SpuriousWakes)
	pointTickleLoad            = hooks.Declare("sleep/tickle-load", "U6: a job is done or a latch set; the state has not been read", hooks.Disturbs)
	pointTickleSwap            = hooks.Declare("sleep/tickle-swap", "U6: a worker is sleepy or asleep; the state has not been swapped", hooks.Disturbs)
	pointTickleLock            = hooks.Declare("sleep/tickle-lock", "U6: the state says that all are awake, the sleepers have not been notified", hooks.Disturbs)
	pointTickleNotify          = hooks.Declare("sleep/tickle-notify", "U6: notifies all that sleep, under the lock", hooks.Disturbs|hooks.Drops|hooks.Duplicates)

	// I, J: waking.
	pointWakeScan   = hooks.Declare("sleep/wake-scan", "I: looks at one more worker that may be asleep", hooks.Disturbs)
	pointWakeLock   = hooks.Declare("sleep/wake-lock", "J: holds the sleep lock of the worker it may wake", hooks.Disturbs)
	pointWakeNotify = hooks.Declare("sleep/wake-notify", "J: notifies a worker that it has marked as not blocked", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	pointWakeDec    = hooks.Declare("sleep/wake-dec", "J: has notified the worker, which still counts as sleeping", hooks.Disturbs)

	// K, latches: setting.
	pointLatchSetPre     = hooks.Declare("sleep/latch-set-pre", "L4: the latch's event has happened, the latch is not set", hooks.Disturbs)
	pointLatchSetSwapped = hooks.Declare("sleep/latch-set-swapped", "L4: the latch is SET; its owner may be gone, and the latch with it", hooks.Disturbs)
	pointLatchSetNotify  = hooks.Declare("sleep/latch-set-notify", "K: notifies the owner, which was asleep on the latch", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	pointLatchCountDec   = hooks.Declare("sleep/latch-count-dec", "L7: gives back its unit of a count latch; unless it was the last, the latch may be gone", hooks.Disturbs)
	pointLatchLockNotify = hooks.Declare("sleep/latch-lock-notify", "LockLatch: notifies the goroutines that wait for the latch, under its lock", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
)
