// Package imported links packages that only hooks import.
package imported

import "github.com/rouse-go/rouse/hooks"

var point = hooks.Declare("imported/point", "nothing at all", hooks.Disturbs)

// Pass passes a point.
func Pass() { hooks.At(point) }
