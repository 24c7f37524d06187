package hooks_test

import (
	"testing"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

// Catches: a number that two live goroutines share, or one that changes; in the
// normal build, one at all.
func TestGoroutine(t *testing.T) {
	mine := hooks.Goroutine()
	others, over := make(chan uintptr), make(chan struct{})
	defer close(over)
	go func() {
		others <- hooks.Goroutine()
		<-over
	}()
	other := <-others
	switch {
	case mine == 0 && other == 0: // the normal build, or a platform without goroutine identity
	case !hooks.Enabled || mine == other || mine != hooks.Goroutine():
		t.Errorf("mine %#x, the other %#x, mine again %#x", mine, other, hooks.Goroutine())
	}
}
