//go:build chaos

package native

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// arm arms an engine for the time of the test.
func arm(t testing.TB, seed uint64, faults ...chaos.Fault) *Engine {
	t.Helper()
	e, err := Arm(chaos.Plan{Seed: seed, Faults: faults})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Disarm)
	return e
}

func TestArmRefusesBeforeAnythingIsInstalled(t *testing.T) {
	for name, c := range map[string]struct {
		fault chaos.Fault
		field string
	}{
		"unknown point":   {chaos.Fault{At: "native/nowhere", Kind: hooks.Yields}, "at"},
		"unoffered fault": {chaos.Fault{At: "native/at", Kind: hooks.Drops}, "fault"},
		"no length":       {chaos.Fault{At: "native/at", Kind: hooks.Delays}, "for"},
	} {
		e, err := Arm(chaos.Plan{Faults: []chaos.Fault{{At: "native/at", Kind: hooks.Yields}, c.fault}})
		var p *chaos.PlanError
		if e != nil || !errors.As(err, &p) || p.Index != 1 || p.Field != c.field {
			t.Errorf("%s: Arm = %v, %v", name, e, err)
		}
		if seam.Installed() != nil {
			t.Fatalf("%s: an engine was installed", name)
		}
	}
}

func TestOneEngineAtATime(t *testing.T) {
	first := arm(t, 0)
	if e, err := Arm(chaos.Plan{}); e != nil || !errors.Is(err, ErrArmed) {
		t.Fatalf("Arm = %v, %v, want ErrArmed", e, err)
	}
	hooks.At(atPoint)
	if n := first.Progress(); n != 1 {
		t.Errorf("the first engine saw %d visits, want 1", n)
	}
	first.Disarm()
	first.Disarm() // idempotent
	hooks.At(atPoint)
	if n := first.Progress(); n != 1 {
		t.Errorf("a disarmed engine saw a visit")
	}
	second := arm(t, 0)
	first.Disarm() // must not take out the second
	hooks.At(atPoint)
	if n := second.Progress(); n != 1 {
		t.Errorf("the second engine saw %d visits, want 1", n)
	}
}

func TestThePlanIsCopied(t *testing.T) {
	to := uint64(9)
	faults := []chaos.Fault{{At: "native/value", Kind: hooks.Rolls, To: &to}}
	arm(t, 0, faults...)
	to, faults[0].At = 5, "native/at"
	if v := hooks.Value(valuePoint, 1); v != 9 {
		t.Errorf("Value = %d, want 9 as planned", v)
	}
}

func TestUnwinding(t *testing.T) {
	arm(t, 0)
	if hooks.Unwinding("a panic") || hooks.Unwinding(nil) {
		t.Error("this engine never unwinds")
	}
}

// late numbers the points that are declared while an engine is armed: a name
// can be declared once, and a test may run several times.
var late int

func TestPointsDeclaredAfterArm(t *testing.T) {
	e := arm(t, 0, chaos.Fault{At: "native/at", Kind: hooks.Delays, Max: time.Nanosecond})
	late++
	p := hooks.Declare(fmt.Sprintf("native/late%d", late), "declared late", hooks.Disturbs|hooks.Rolls|hooks.Drops|hooks.Fails)
	hooks.At(p)
	if hooks.Notify(p) != 1 || hooks.Fail(p) || hooks.Value(p, 3) != 3 {
		t.Error("a point without faults does something")
	}
	counts := e.Counts()
	if len(counts.Points) != 1 || counts.Points[0].Hits != 4 {
		t.Errorf("visits of it: %+v, want 4", counts.Points)
	}
}

// newInjectorForTest returns an injector with some faults, not installed.
func newInjectorForTest(t *testing.T) *injector {
	t.Helper()
	plan := chaos.Plan{Seed: 1, Faults: []chaos.Fault{
		{At: "native/at", Kind: hooks.Yields, Probability: 0.1},
		{At: "native/notify", Kind: hooks.Drops, Count: 5},
	}}
	if err := plan.Check(); err != nil {
		t.Fatal(err)
	}
	return newInjector(plan)
}

// install installs it for the time of the test.
func install(t *testing.T, in *injector) *Engine {
	t.Helper()
	uninstall, ok := seam.Install(in)
	if !ok {
		t.Fatal("another engine is installed")
	}
	e := &Engine{in: in, uninstall: uninstall}
	t.Cleanup(e.Disarm)
	return e
}
