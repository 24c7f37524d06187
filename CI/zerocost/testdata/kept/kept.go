// Package kept keeps hooks in the binary, in ways that stripping cannot undo.
package kept

import "github.com/rouse-go/rouse/hooks"

var point = hooks.Declare("kept/point", "nothing at all", hooks.Disturbs)

// Verb holds a verb of hooks as a value.
var Verb = hooks.At

// Pass calls it.
func Pass() { Verb(point) }

// Later defers one.
func Later() { defer hooks.At(point) }
