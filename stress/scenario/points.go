package scenario

import (
	"github.com/rouse-go/rouse/chaos"
)

// A PointInfo describes a hook point of this binary.
type PointInfo = chaos.Point

// Points lists the hook points of this binary, by name. Without the chaos tag
// there are none.
func Points() []PointInfo { return chaos.Points() }
