//go:build chaos

package atomic

import "github.com/rouse-go/rouse/hooks"

// One point for each verb, whatever the type, always before the operation: what
// a goroutine is about to see or overwrite can still change. The window behind
// an operation is the window before the next one; a second point there would
// only double the cost.
//
// atomic/cas offers no Fails: compare-and-swap is strong in Go, and an operation
// that fails although the value is the expected one is a thing that no Go
// program will ever meet.
var (
	load  = hooks.Declare("atomic/load", "about to read: others can still change the value", hooks.Disturbs)
	store = hooks.Declare("atomic/store", "about to write: others still see the old value, and what they write now will be overwritten", hooks.Disturbs)
	swap  = hooks.Declare("atomic/swap", "about to exchange: others can still change the value or take it first", hooks.Disturbs)
	cas   = hooks.Declare("atomic/cas", "the expected value was chosen earlier and may be stale: others can still change it, or change it and back", hooks.Disturbs)
	add   = hooks.Declare("atomic/add", "about to add: others still see the old sum", hooks.Disturbs)
	and   = hooks.Declare("atomic/and", "about to clear bits: others still see them set", hooks.Disturbs)
	or    = hooks.Declare("atomic/or", "about to set bits: others still see them clear", hooks.Disturbs)
)
