// Package budget has a function that is small enough to be inlined, but for its
// hooks.
package budget

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

var point = hooks.Declare("budget/point", "nothing at all", hooks.Disturbs)

// Err makes the package one that has something to initialise.
var Err = fmt.Errorf("nothing")

// Caller calls mix.
func Caller(a, b uint64) uint64 { return mix(a, b) + 1 }

func mix(a, b uint64) uint64 {
	a = a*31 + b ^ 7
	b = b*33 + a ^ 5
	a = a*37 + b ^ 3
	b = b*41 + a ^ 9
	a = a*43 + b ^ 1
	b = b*47 + a ^ 2
	hooks.At(point)
	a = a*53 + b ^ 4
	hooks.At(point)
	b = b*59 + a ^ 8
	hooks.At(point)
	return a ^ b
}
