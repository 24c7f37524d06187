package hooks_test

import (
	"testing"

	"github.com/rouse-go/rouse/hooks"
)

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
