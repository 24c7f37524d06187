//go:build chaos

package atomic

import "github.com/rouse-go/rouse/internal/seam"

// One point for each verb, whatever the type, always before the operation: what
// a goroutine is about to see or overwrite can still change. The window behind
// an operation is the window before the next one; a second point there would
// only double the cost.
//
// atomic/cas offers no Fails: compare-and-swap is strong in Go, and an operation
// that fails although the value is the expected one is a thing that no Go
// program will ever meet.
var (
	load  = seam.DeclareOperation("atomic/load", "about to read: others can still change the value", seam.Disturb)
	store = seam.DeclareOperation("atomic/store", "about to write: others still see the old value, and what they write now will be overwritten", seam.Disturb)
	swap  = seam.DeclareOperation("atomic/swap", "about to exchange: others can still change the value or take it first", seam.Disturb)
	cas   = seam.DeclareOperation("atomic/cas", "the expected value was chosen earlier and may be stale: others can still change it, or change it and back", seam.Disturb)
	add   = seam.DeclareOperation("atomic/add", "about to add: others still see the old sum", seam.Disturb)
	and   = seam.DeclareOperation("atomic/and", "about to clear bits: others still see them set", seam.Disturb)
	or    = seam.DeclareOperation("atomic/or", "about to set bits: others still see them clear", seam.Disturb)
)
