//go:build chaos

package burst

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/pool/burst"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// tiny is a controlled scenario about that workload.
func tiny(workload, strategy string, receivers int) scenario.Scenario {
	return scenario.Scenario{
		Name: "tiny-" + workload, Mode: scenario.Control, Strategy: strategy, Subject: "burst", Workload: workload,
		Setup: map[string]string{"receivers": fmt.Sprint(receivers)},
	}
}

func runs(s subject.Subject) *run.Runner { return &run.Runner{Subjects: []subject.Subject{s}} }

// explored runs the first executions under control and returns the first that fails.
func explored(t *testing.T, sc *scenario.Scenario, s subject.Subject, executions int) outcome.Result {
	t.Helper()
	r, err := runs(s).FirstFailure(sc, executions)
	if err != nil {
		t.Error(err)
	}
	return r
}

// wantVerdict checks the verdict, and that the summary contains says.
func wantVerdict(t *testing.T, r outcome.Result, want verdict.Verdict, says string) {
	t.Helper()
	if r.Verdict != want || !strings.Contains(r.Summary, says) {
		t.Errorf("%s: %s\n%s\nwant %s: ... %s", r.Verdict, r.Summary, strings.Join(r.Explanation, "\n"), want, says)
	}
}

// TestEveryWorkloadPasses: with no faults there is nothing to find, natively or under control.
func TestEveryWorkloadPasses(t *testing.T) {
	executions := 150
	if testing.Short() || outcome.ThisBuild().Race {
		executions = 15
	}
	s := Subject()
	for _, w := range s.WorkloadNames() {
		for receivers := 1; receivers <= 3; receivers++ {
			for _, by := range []string{"portfolio", "pct"} {
				sc := tiny(w, by, receivers)
				wantVerdict(t, explored(t, &sc, s, executions), verdict.Pass, "")
			}
			sc := tiny(w, "", receivers)
			sc.Mode = scenario.Native
			for n := range 3 {
				wantVerdict(t, runs(s).Execute(&sc, 1, n, func() {}), verdict.Pass, "")
			}
		}
	}
}

func TestBurstSeesItsMessages(t *testing.T) {
	for _, c := range []struct {
		verdict verdict.Verdict
		says    string
		plant   func(b *bursts)
	}{
		{verdict.DuplicateTask, "ran 2 times", func(b *bursts) { // a refused message is received all the same
			enqueue := b.enqueue
			b.enqueue = func(m *burstMessage) error {
				m.due.Add(1)
				if enqueue(m) == nil {
					return burst.ErrBusy
				}
				m.due.Done()
				return burst.ErrBusy
			}
		}},
		{verdict.WrongResult, "before its wake", func(b *bursts) { // handed out and woken in one
			enqueue, wake := b.enqueue, b.wake
			b.enqueue = func(m *burstMessage) error {
				err := enqueue(m)
				wake()
				for range 50 {
					hooks.Gosched()
				}
				return err
			}
		}},
		{verdict.WrongResult, "received nothing, without an error", func(b *bursts) {
			enqueue := b.enqueue
			b.enqueue = func(m *burstMessage) error {
				if enqueue(nil) == nil {
					m.Done()
					m.due.Done()
					return nil
				}
				return burst.ErrBusy
			}
		}},
		{verdict.WrongResult, "Enqueue: ", func(b *bursts) { b.enqueue = func(*burstMessage) error { return burst.ErrLeft } }},
	} {
		planted := target(receivers, threadReceivers)
		planted.Workloads[0].Run = func(_ *subject.Execution, b *bursts) { c.plant(b); b.run(receivers) }
		s := planted.Subject()
		sc := tiny("burst", "", 2)
		sc.Mode = scenario.Native
		wantVerdict(t, runs(s).Execute(&sc, 1, 0, func() {}), c.verdict, c.says)
		sc = tiny("burst", "random", 2)
		wantVerdict(t, explored(t, &sc, s, 100), c.verdict, c.says)
	}
}

// TestBurstSeesWrongCounts: one receiver too many waits, or one that has left counts.
func TestBurstSeesWrongCounts(t *testing.T) {
	for says, count := range map[string]func(s *burst.Sender[*burstMessage]) int{
		"receivers wait, want at most": func(s *burst.Sender[*burstMessage]) int { return s.Waiting() + 3 },
		"receivers, want 2 to 2": func(s *burst.Sender[*burstMessage]) int {
			_, _ = s.NewReceiver() // nothing waits for it
			return 0
		},
		"although 1 receiver waited": func(s *burst.Sender[*burstMessage]) int { return min(1, s.Receivers()) },
	} {
		planted := target(receivers, threadReceivers)
		planted.Workloads[2].Run = func(_ *subject.Execution, b *bursts) {
			b.count = count
			b.counted(0, 0)
			b.run(receivers)
		}
		s := planted.Subject()
		sc := tiny("burst-counts", "random", 2)
		wantVerdict(t, explored(t, &sc, s, 100), verdict.WrongResult, says)
	}
}

func TestBurstSeesALostWakeup(t *testing.T) {
	s := Subject()
	for _, w := range s.WorkloadNames() {
		sc := tiny(w, "random", 2)
		sc.Plan = []chaos.Fault{{At: "burst/wake-notify", Kind: hooks.Drops}}
		wantVerdict(t, explored(t, &sc, s, 300), verdict.LostWakeup, "that no receiver has taken since its wake: ")
	}
}

// TestSizesAreAllowed: the sizes of a scenario that sets none, with the most receivers.
func TestSizesAreAllowed(t *testing.T) {
	s := Subject()
	for _, w := range s.Workloads {
		sc := tiny(w.Name, "", maxReceivers)
		sc.Mode = scenario.Native
		if err := w.Check(sc.Values(&s, 0)); err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
}
