package core

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

var endsHold = seam.Declare("core-test/end", "it ends a hold", seam.Faults)

// Catches: a kind of fault that nothing carries out.
func TestEachKindOfFaultIsCarriedOut(t *testing.T) {
	for _, kind := range seam.Faults.Kinds() {
		none := Effect{Copies: 1}
		r := none
		new(Engine).fire(&r, new(Task), 1, strategy.Fire{Kind: kind, Value: 1, Until: endsHold.Name})
		if r == none {
			t.Errorf("%s does nothing", kind)
		}
	}
}
