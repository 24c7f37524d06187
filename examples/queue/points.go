package queue

import "github.com/rouse-go/rouse/hooks"

// The hook points, as package/what; with each what stands open there, and what may be
// done there.
var (
	putFull    = hooks.Declare("queue/put-full", "a putter has found the queue full, and does not wait yet", hooks.Disturbs)
	putPushed  = hooks.Declare("queue/put-pushed", "an item is in the queue, and nobody was told yet", hooks.Disturbs)
	putNotify  = hooks.Declare("queue/put-notify", "a taker is to be told of an item", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	takeEmpty  = hooks.Declare("queue/take-empty", "a taker has found the queue empty, and does not wait yet", hooks.Disturbs)
	takeTaken  = hooks.Declare("queue/take-taken", "there is room in the queue, and nobody was told yet", hooks.Disturbs)
	takeNotify = hooks.Declare("queue/take-notify", "a putter is to be told of room", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
)
