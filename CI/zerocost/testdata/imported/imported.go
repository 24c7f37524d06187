// Package imported links packages that only hooks import.
package imported

import "github.com/rouse-go/rouse/hooks"

var point = hooks.Declare("imported/point", "nothing at all", hooks.Disturbs)

// Made makes the package one that has something to initialise.
var Made = make(chan int)

// Pass passes a point.
func Pass() { hooks.At(point) }
