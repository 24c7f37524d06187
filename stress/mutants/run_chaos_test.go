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
func planted(t *testing.T, mutants ...mutant) ([]outcome, score, error) {
	t.Helper()
	c, err := openCheckout(here)
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []outcome
	s, err := (&flags{seeds: 2, executions: 300}).run(context.Background(), c, mutants, func(o outcome) error { outcomes = append(outcomes, o); return nil })
	return outcomes, s, err
}

func named(t *testing.T, name string) mutant {
	t.Helper()
	m, err := choose(embedded(t), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	return m[0]
}

// The positive control, and the negative one: the same program detects the mutant,
// and passes with the original.
func TestAMutantIsKilledAndTheOriginalIsNot(t *testing.T) {
	m := named(t, "notification-dropped")
	original := mutant{name: control, trials: []trial{m.trials[0]}}
	original.trials[0].Expect, original.trials[0].Published = verdict.Pass, nil
	outcomes, s, err := planted(t, m, original)
	if err != nil {
		t.Fatal(err)
	}
	if !s.asExpected() || s.Killed != 1 || s.Mutants != 1 || len(outcomes) != 2 {
		t.Fatalf("%s\n%+v", s.String(), outcomes)
	}
	killed, survives := outcomes[0], outcomes[1]
	if best, ok := killed.best(); !ok || best.Executions > 50 || killed.Verdict != verdict.LostWakeup {
		t.Errorf("%+v", killed)
	}
	for _, m := range survives.Medians {
		if m.Kills > 0 || m.Series != 2 || m.Executions != 300 {
			t.Errorf("the original: %+v", m)
		}
	}
}

func TestMutantsThatCannotRun(t *testing.T) {
	broken := diffed(t, "--- a/sleep/jec.go\n+++ b/sleep/jec.go\n@@ -1 +1 @@\n"+
		"-func sleepFence() { memory.Fence(memory.SeqCst) }\n+func sleepFence() int { return \"\" }\n")
	broken.trials = []trial{{Package: "sleep", Program: "protocol", Expect: verdict.Pass}}
	confused := mutant{name: "confused", trials: []trial{{Package: "sleep", Program: "protocol meeet=2", Expect: verdict.Pass}}}
	for _, c := range []struct {
		m    mutant
		want []string
	}{
		{broken, []string{"mutant m does not build: ", "cannot use \"\""}},
		{confused, []string{"mutant confused, sleep protocol meeet=2, ", `unknown word "meeet"; did you mean "meet"?`}},
	} {
		_, _, err := planted(t, c.m)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", c.m.name, err, want)
			}
		}
	}
}

// Catches: an interruption that is reported as an error of the mutant, and files that it leaves behind.
func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c, err := openCheckout(here)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(enough)
	if _, err := new(flags).run(ctx, c, []mutant{named(t, "notification-dropped")}, func(outcome) error { return errors.New("an outcome") }); !errors.Is(err, enough) {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
