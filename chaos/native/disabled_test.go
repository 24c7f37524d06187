//go:build !chaos

package native

import (
	"errors"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

func TestArmRefusesWithoutTheTag(t *testing.T) {
	for _, plan := range []chaos.Plan{
		{},
		{Faults: []chaos.Fault{{At: "native/at", Kind: hooks.Yields}}},
	} {
		e, err := Arm(plan)
		if e != nil || !errors.Is(err, ErrNotChaos) {
			t.Fatalf("Arm = %v, %v, want ErrNotChaos", e, err)
		}
		if !strings.Contains(err.Error(), "-tags chaos") {
			t.Errorf("%q does not say how to build", err)
		}
	}
	if seam.Installed() != nil {
		t.Error("something was installed")
	}
	hooks.At(atPoint)
	if hooks.Notify(notifyPoint) != 1 || hooks.Fail(failPoint) || hooks.Value(valuePoint, 7) != 7 {
		t.Error("a hook does something")
	}
}
