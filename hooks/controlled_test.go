package hooks_test

import (
	"testing"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// With an engine: see chaos/control.
func TestNobodyIsControlledWithoutAnEngine(t *testing.T) {
	if hooks.Controlled() {
		t.Error("controlled, without an engine")
	}
}

// Catches: a kind of fault without a name here.
func TestKinds(t *testing.T) {
	const named = hooks.Delays | hooks.Yields | hooks.Drops | hooks.Duplicates | hooks.Fails | hooks.SpuriousWakes | hooks.Rolls | hooks.Holds
	if missing := seam.Faults &^ named; missing != 0 {
		t.Errorf("no constant for %s", missing)
	}
}
