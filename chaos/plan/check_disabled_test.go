//go:build !chaos

package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks"
)

var _ = hooks.Declare("check/passed", "for these tests", hooks.Disturbs)

func TestCheckKnowsNoPointWithoutTheTag(t *testing.T) {
	err := Plan{Faults: []Fault{{At: "check/passed", Kind: hooks.Yields}}}.Check()
	if err == nil || !strings.Contains(err.Error(), "-tags chaos") {
		t.Errorf("got %v, want what to build with", err)
	}
	if err := (Plan{}).Check(); err != nil {
		t.Error("the zero plan:", err)
	}
}

// TestNothingIsReadWithoutTheTag: not even what would be right with it.
func TestNothingIsReadWithoutTheTag(t *testing.T) {
	for _, text := range []string{"at: check/passed, fault: yield", ""} {
		p, err := Parse("p", text)
		var e *SyntaxError
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "p:1:1: ") || !strings.Contains(err.Error(), "-tags chaos") || p.Faults != nil {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
}
