package burst

import "github.com/rouse-go/rouse/hooks"

// Hook points. The letter and number are the step in sender.go, receiver.go and thread.go.
var (
	pointEnqueueLook   = hooks.Declare("burst/enqueue-look", "E1: about to look whether one receiver waits (fail: takes it for busy)", hooks.Disturbs|hooks.Fails)
	pointEnqueueFilled = hooks.Declare("burst/enqueue-filled", "E3: a receiver has a message, and is not noted for the next wake yet", hooks.Disturbs)
	pointWakeTaken     = hooks.Declare("burst/wake-taken", "W1: knows which receivers to wake, has woken none", hooks.Disturbs)
	pointWakeNotify    = hooks.Declare("burst/wake-notify", "W2: about to wake a receiver that has a message", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	pointReceiveWaits  = hooks.Declare("burst/receive-waits", "R1: can be given a message, does not sleep yet", hooks.Disturbs)
	pointThreadParks   = hooks.Declare("burst/thread-parks", "R2: a thread can be given a message and be woken, and is not in the kernel yet", hooks.Disturbs)
	pointThreadPost    = hooks.Declare("burst/thread-post", "T2: a thread's wait is over (closed, left, given up), the token that wakes it is not written yet", hooks.Disturbs)
	pointThreadWoken   = hooks.Declare("burst/thread-woken", "T3: a thread has its token, and not yet the lock", hooks.Disturbs)
	pointReceiveTake   = hooks.Declare("burst/receive-take", "R3: awake, has not taken its message yet", hooks.Disturbs)
	pointCloseSaid     = hooks.Declare("burst/close-said", "D1: nothing can be enqueued any more, the receivers do not know yet", hooks.Disturbs)
	pointLeaveSaid     = hooks.Declare("burst/leave-said", "L1: a receiver has left, its sender still lists it", hooks.Disturbs)
)

// The verbs of hooks, for generic code. That is compiled where it is used, in a package that need
// not import hooks; there the compiler inlines what belongs to this package, and calls what belongs
// to hooks.

func at(p hooks.Point)         { hooks.At(p) }
func fails(p hooks.Point) bool { return hooks.Fail(p) }
func notify(p hooks.Point) int { return hooks.Notify(p) }
