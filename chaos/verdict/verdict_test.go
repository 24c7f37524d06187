package verdict

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOfPanic(t *testing.T) {
	for says, want := range map[string]Verdict{
		"panic: pool: stale use: a loop: worker 1 does elements of it, though worker 0 has ended it": StaleUse,
		"panic: so it goes": Panicked,
		"":                  Panicked,
	} {
		if got := OfPanic(says); got != want {
			t.Errorf("%q: %s, want %s", says, got, want)
		}
	}
}
