package queue

import "github.com/rouse-go/rouse/hooks"

// The hook points, named package/what, each with a description of its window and the faults that it
// offers.
var (
	putFull    = hooks.Declare("queue/put-full", "a putter found the queue full and does not wait yet", hooks.Disturbs)
	putPushed  = hooks.Declare("queue/put-pushed", "an item is in the queue, and no taker is notified yet", hooks.Disturbs)
	putNotify  = hooks.Declare("queue/put-notify", "notifies a taker of an item", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	takeEmpty  = hooks.Declare("queue/take-empty", "a taker found the queue empty and does not wait yet", hooks.Disturbs)
	takeTaken  = hooks.Declare("queue/take-taken", "there is room in the queue, and no putter is notified yet", hooks.Disturbs)
	takeNotify = hooks.Declare("queue/take-notify", "notifies a putter of room", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
)
