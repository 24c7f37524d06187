package hooks_test

import (
	"testing"

	"github.com/rouse-go/rouse/hooks"
)

// With an engine: see chaos/control.
func TestNobodyIsControlledWithoutAnEngine(t *testing.T) {
	if hooks.Controlled() {
		t.Error("controlled, without an engine")
	}
}
