//go:build chaos

package mutants

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// planted runs mutants, briefly.
func planted(t *testing.T, mutants ...Mutant) ([]Outcome, Score, error) {
	t.Helper()
	c, err := OpenCheckout(here)
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []Outcome
	s, err := Run(context.Background(), c, mutants, Options{Seeds: 2, Executions: 300}, func(o Outcome) { outcomes = append(outcomes, o) })
	return outcomes, s, err
}

func named(t *testing.T, name string) Mutant {
	t.Helper()
	m, err := Choose(all(t), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	return m[0]
}

// The positive control, and the negative one: the same program convicts the mutant,
// and does not convict what ships.
func TestAMutantIsKilledAndWhatShipsIsNot(t *testing.T) {
	m := named(t, "notification-dropped")
	ships := Mutant{Name: Control, Trials: []Trial{m.Trials[0]}}
	ships.Trials[0].Expect, ships.Trials[0].Published = verdict.Pass, nil
	outcomes, s, err := planted(t, m, ships)
	if err != nil {
		t.Fatal(err)
	}
	if !s.AsExpected() || s.Killed != 1 || s.Mutants != 1 || len(outcomes) != 2 {
		t.Fatalf("%s\n%+v", s.String(), outcomes)
	}
	killed, survives := outcomes[0], outcomes[1]
	if best, ok := killed.Best(); !ok || best.Executions > 50 || killed.Verdict != verdict.LostWakeup {
		t.Errorf("%+v", killed)
	}
	for _, m := range survives.Medians {
		if m.Kills > 0 || m.Series != 2 || m.Executions != 300 {
			t.Errorf("what ships: %+v", m)
		}
	}
}

func TestWhatCannotBeTried(t *testing.T) {
	broken := Mutant{Name: "broken", Edits: []Edit{{File: "sleep/jec.go", From: "func sleepFence() { memory.Fence(memory.SeqCst) }\n", To: "func sleepFence() int { return \"\" }\n"}},
		Trials: []Trial{{Package: "sleep", Program: "protocol", Expect: verdict.Pass}}}
	confused := Mutant{Name: "confused", Trials: []Trial{{Package: "sleep", Program: "protocol meeet=2", Expect: verdict.Pass}}}
	for _, c := range []struct {
		m    Mutant
		want []string
	}{
		{broken, []string{"mutant broken does not build: ", "cannot use \"\""}},
		{confused, []string{"mutant confused, sleep protocol meeet=2, ", `unknown word "meeet"; did you mean "meet"?`}},
	} {
		_, _, err := planted(t, c.m)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", c.m.Name, err, want)
			}
		}
	}
}

// Catches: an interruption that is taken for an error of the mutant, and what it
// leaves behind.
func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c, err := OpenCheckout(here)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(enough)
	if _, err := Run(ctx, c, []Mutant{named(t, "notification-dropped")}, Options{}, func(Outcome) { t.Error("an outcome") }); !errors.Is(err, enough) {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
