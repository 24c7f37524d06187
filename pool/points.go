package pool

import "github.com/rouse-go/rouse/hooks"

// Hook points. The letter and number are the step of the protocol that the point belongs to
// (sleep/README.md).
var (
	// A: waiting for a latch.
	pointSearchLocal = hooks.Declare("pool/search-local", "A3: waits for a latch, looks at its own queues before it goes idle", hooks.Disturbs)
	pointIdleProbe   = hooks.Declare("pool/idle-probe", "A5: idle, about to probe its latch and to search once more", hooks.Disturbs)
	pointIdleExit    = hooks.Declare("pool/idle-exit", "A6: its latch is set; leaves the idle state without having searched", hooks.Disturbs)

	// B: one search.
	pointSearchBegin    = hooks.Declare("pool/search-begin", "B: begins a search: own queues, the other workers, the injector", hooks.Disturbs)
	pointSearchVictim   = hooks.Declare("pool/search-victim", "B: about to steal from one other worker (fail: finds its deque empty)", hooks.Disturbs|hooks.Fails)
	pointSearchInjector = hooks.Declare("pool/search-injector", "B: found nothing to steal, about to look into the injector (fail: finds it empty)", hooks.Disturbs|hooks.Fails)
	pointSearchEnd      = hooks.Declare("pool/search-end", "B: has searched everywhere and found nothing", hooks.Disturbs)

	// G: posting work from inside.
	pointPushEmptyRead = hooks.Declare("pool/push-empty-read", "G1: knows whether its deque was empty, the job is not in", hooks.Disturbs)
	pointPushPre       = hooks.Declare("pool/push-pre", "G2: about to push a job on its own deque", hooks.Disturbs)
	pointPushPushed    = hooks.Declare("pool/push-pushed", "G2: the job can be stolen, the counters have not been read", hooks.Disturbs)
	pointPushPost      = hooks.Declare("pool/push-post", "G3: the job is posted, and the wakes for it are sent", hooks.Disturbs)

	// G': posting work from outside.
	pointInjectEmptyRead = hooks.Declare("pool/inject-empty-read", "G1': knows whether the injector was empty, the job is not in", hooks.Disturbs)
	pointInjectPre       = hooks.Declare("pool/inject-pre", "G2': about to push a job into the injector", hooks.Disturbs)
	pointInjectPushed    = hooks.Declare("pool/inject-pushed", "G2': after PushJob, before PushFence", hooks.Disturbs)
	pointInjectFenced    = hooks.Declare("pool/inject-fenced", "G3': after PushFence, before ReadSleepers: the counters are read next", hooks.Disturbs)
	pointInjectPost      = hooks.Declare("pool/inject-post", "G3': the job is posted, and the wakes for it are sent", hooks.Disturbs)

	pointInjectorWritten = hooks.Declare("pool/injector-written", "G2': the job is in its slot and does not count yet; holds the lock of the injector's producers", hooks.Disturbs)
	pointReserveToWrite  = hooks.Declare("pool/queue-reserve-to-write", "a queue counts the job already, the job is not in yet; holds the queue's lock", hooks.Disturbs)

	// R: private jobs.
	pointKeepKept      = hooks.Declare("pool/keep-kept", "R1: a fork stays private, unknown to others", hooks.Disturbs)
	pointPrivatePopped = hooks.Declare("pool/private-popped", "R4: its worker has taken a fork back, after a look for requests", hooks.Disturbs)
	pointRequest       = hooks.Declare("pool/request", "R5: has found a worker's deque empty, or falls asleep; has not asked it for private jobs", hooks.Disturbs)
	pointRequestMet    = hooks.Declare("pool/request-met", "R6: has marked the request as met, has shared nothing yet", hooks.Disturbs)

	// The deque's own windows.
	pointDequePopReserved = hooks.Declare("pool/deque-pop-reserved", "pop: has claimed the bottom job, has not looked for a thief", hooks.Disturbs)
	pointDequeStealRead   = hooks.Declare("pool/deque-steal-read", "steal: has read the top job, has not won it (fail: loses the race for it)", hooks.Disturbs|hooks.Fails)
	pointDequeGrow        = hooks.Declare("pool/deque-grow", "push: has copied the jobs into a larger array that is not visible yet", hooks.Disturbs)

	// L: broadcasting.
	pointBcastPush   = hooks.Declare("pool/bcast-push", "L: about to push a broadcast job for one more worker", hooks.Disturbs)
	pointBcastNotify = hooks.Declare("pool/bcast-notify", "L: the broadcast is in every queue; notifies one more worker", hooks.Disturbs|hooks.Drops|hooks.Duplicates)

	// M: termination.
	pointTermDec = hooks.Declare("pool/term-dec", "M: about to give back one reference to the pool", hooks.Disturbs)
	pointTermSet = hooks.Declare("pool/term-set", "M: the last reference is gone; sets one more worker's terminate latch", hooks.Disturbs|hooks.Drops|hooks.Duplicates)

	// Spare workers.
	pointSpareStart  = hooks.Declare("pool/spare-start", "blocking: a spare is to stand in for a worker that is about to block, or to run a job that blocks, and has not been started", hooks.Disturbs)
	pointSpareNotify = hooks.Declare("pool/spare-notify", "blocking: gives a spare that rests its orders", hooks.Disturbs|hooks.Drops)
	pointBlockSaid   = hooks.Declare("pool/block-said", "blocking: a worker is marked as blocking, and has woken none yet for the jobs in its deque", hooks.Disturbs)
	pointSpareRetire = hooks.Declare("pool/spare-retire", "blocking: what blocked a worker is over, its spare has not been notified yet", hooks.Disturbs)

	// Jobs.
	pointJobRun  = hooks.Declare("pool/job-run", "has taken a job from a queue, has not begun it", hooks.Disturbs)
	pointJobDone = hooks.Declare("pool/job-done", "the job is done, its waiters have not been notified yet", hooks.Disturbs)
)
