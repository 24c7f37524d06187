package plan

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// Kinds lists all kinds of fault.
func Kinds() []hooks.FaultKind {
	return seam.Faults.Kinds()
}
