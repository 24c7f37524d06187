package corpus

import "testing"

// Catches: an operation of package sync or an atomic that is no point, or after which nobody else
// can run; time, chance, memory, timers, pools and bubbles that differ from one execution or process
// to the next; a source of that which is not noted.
func TestTraps(t *testing.T) { traps(t, 1000, "./...") }

// Catches: a race that the runtime's patches hide, or invent.
func TestTrapsRace(t *testing.T) {
	traps(t, 300, "--race", "./races", "./pool", "./bubbles", "./clock")
}

// Catches: a point at which --native delays nobody, and time that is not real there.
func TestTrapsNative(t *testing.T) { traps(t, 3000, "--native", "./native") }

func traps(t *testing.T, executions int, args ...string) {
	tool, err := Build(t.Context(), ".", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	problems, err := tool.Traps(t.Context(), "../testdata/traps", t.TempDir(), executions, args...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}
