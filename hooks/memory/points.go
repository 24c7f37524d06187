//go:build chaos

package memory

import "github.com/rouse-go/rouse/internal/seam"

// The operations pass the points of hooks/atomic.
var between = seam.DeclareOperation("memory/fence", "between what is above the fence and what is below it: others can act on the one before the other has begun", seam.Disturb)
