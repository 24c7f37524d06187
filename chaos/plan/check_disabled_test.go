//go:build !chaos

package plan

import (
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
