package chaos

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// Kinds lists the kinds of fault that there are.
func Kinds() []hooks.Fault {
	var kinds []hooks.Fault
	for _, name := range seam.FaultNames() {
		kind, _ := seam.ParseFault(name)
		kinds = append(kinds, kind)
	}
	return kinds
}
