package corpus

import "testing"

// Catches: an operation of package sync or an atomic that is no point, or after which nobody else
// can run; time, chance, memory, timers, pools and bubbles that differ from one execution or process
// to the next; a source of that which is not noted.
func TestTraps(t *testing.T) { traps(t, false, 1000, "./...") }

// Catches: a race that the runtime's patches hide, or invent.
func TestTrapsRace(t *testing.T) { traps(t, true, 300, "./races", "./pool", "./bubbles", "./clock") }

func traps(t *testing.T, race bool, executions int, packages ...string) {
	tool, err := Build(t.Context(), ".", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	problems, err := tool.Traps(t.Context(), "../testdata/traps", t.TempDir(), race, executions, packages...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}
