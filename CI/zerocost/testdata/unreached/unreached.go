// Package unreached has generic code with a hook that nothing exported uses, so
// that there is nothing to compare.
package unreached

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

var point = hooks.Declare("unreached/point", "nothing at all", hooks.Disturbs)

// Err makes the package one that has something to initialise.
var Err = fmt.Errorf("nothing")

func each[T any](list []T, f func(T)) {
	for _, v := range list {
		hooks.At(point)
		f(v)
	}
}
