//go:build chaos

package channel

import "github.com/rouse-go/rouse/internal/seam"

// Two points enclose what may block.
var (
	send     = seam.DeclareOperation("channel/send", "about to send: no receiver has the value yet", seam.Disturb)
	sent     = seam.DeclareOperation("channel/sent", "the value is in the buffer, or taken: its receiver may be ahead of its sender", seam.Disturb)
	receive  = seam.DeclareOperation("channel/receive", "about to receive: others can take the value first, or close the channel", seam.Disturb)
	received = seam.DeclareOperation("channel/received", "the value is taken, and nothing has been done with it: to others it is gone", seam.Disturb)
	closing  = seam.DeclareOperation("channel/close", "about to close: others can still send", seam.Disturb)
	closed   = seam.DeclareOperation("channel/closed", "the channel is closed: a send panics from here on", seam.Disturb)
	length   = seam.DeclareOperation("channel/len", "about to look how many values there are, which can change at once", seam.Disturb)
	selects  = seam.DeclareOperation("channel/select", "about to select: cases can become ready, or stop being so", seam.Disturb)
	selected = seam.DeclareOperation("channel/selected", "a case is done, or the default is taken: others may be ready by now", seam.Disturb)
)
