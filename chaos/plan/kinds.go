package plan

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// Kinds lists the kinds of fault that there are.
func Kinds() []hooks.FaultKind {
	return seam.Faults.Kinds()
}
