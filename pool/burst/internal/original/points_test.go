package original

import "github.com/rouse-go/rouse/hooks"

// Hook points. The letter and number are the step in sender.go and receiver.go.
var (
	pointCASPending  = hooks.Declare("burst-original/cas-pending", "E1: about to look whether one receiver waits, and to claim it", hooks.Disturbs)
	pointSlotStore   = hooks.Declare("burst-original/slot-store", "E2: a receiver is to have a payload, and its slot is still empty", hooks.Disturbs)
	pointCount       = hooks.Declare("burst-original/count", "E3: the payload is in the slot, and is not counted for the next wake yet", hooks.Disturbs)
	pointWakeWrite   = hooks.Declare("burst-original/wake-write", "W: about to write the tokens", hooks.Disturbs)
	pointRecvWaiting = hooks.Declare("burst-original/recv-waiting", "R1: about to say that it waits", hooks.Disturbs)
	pointPoll        = hooks.Declare("burst-original/poll", "R2: waits, and is about to poll (fail: a signal interrupts the call, EINTR)", hooks.Disturbs|hooks.Fails)
	pointRecvTake    = hooks.Declare("burst-original/recv-take", "R3: there was a token, and whose it is is not known", hooks.Disturbs)
	pointReadToken   = hooks.Declare("burst-original/read-token", "R4: runs, and is about to take a token, which may be another's", hooks.Disturbs)
	pointSlotTake    = hooks.Declare("burst-original/slot-take", "R5: has a token, and is about to empty its slot", hooks.Disturbs)
	pointDropStore   = hooks.Declare("burst-original/drop-store", "D: about to mark one receiver as orphaned, whatever its state", hooks.Disturbs)
	pointDropWrite   = hooks.Declare("burst-original/drop-write", "D: all are marked, and the sleepers still sleep", hooks.Disturbs)
)
