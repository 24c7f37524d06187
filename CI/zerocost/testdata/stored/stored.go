// Package stored makes an interface of a point.
package stored

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

var point = hooks.Declare("stored/point", "nothing at all", hooks.Disturbs)

// Err makes the package one that has something to initialise.
var Err = fmt.Errorf("nothing")

// Points keeps the points alive.
var Points []any

// Store stores the point, and with it the type.
func Store() { Points = append(Points, &point) }
