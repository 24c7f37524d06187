//go:build chaos

package run

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/scenario"
)

// served runs a batch of a scenario, and returns its report.
func served(t *testing.T, l Launcher, sc scenario.Scenario, batch int) (b *BatchReport, end Ending) {
	t.Helper()
	r := Request{Scenario: sc, CampaignSeed: 1, Explore: &ExploreRequest{First: batch, Stride: 1, To: (batch + 1) * scenario.BatchSize}}
	end, err := l.Run(t.Context(), r, func(m *Message) error {
		if m.Batch != nil {
			b = m.Batch
		}
		return nil
	}, func() {})
	if err != nil || !end.Done || b == nil {
		t.Fatalf("%v, %+v, %+v", err, end, b)
	}
	return b, end
}

// TestSpares: a child serves several requests, and finds what a new one does. After a failure it is not
// used again, and one that has ended is replaced.
func TestSpares(t *testing.T) {
	var spares Spares
	defer spares.Close()
	l, alone := Launcher{MaxProcs: 1, Spares: &spares}, Launcher{MaxProcs: 1}
	passes, fails := tiny("inject", "portfolio", 1, 2), tiny("inject", "random", 1)
	fails.Plan = []chaos.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops, Count: 1}}
	for batch := range 3 {
		sc := []scenario.Scenario{passes, tiny("join", "surw", 1, 2)}[batch%2]
		got, end := served(t, l, sc, batch)
		if want, _ := served(t, alone, sc, batch); !end.idle || got.Steps != want.Steps || string(must(got.Orders.MarshalJSON())) != string(must(want.Orders.MarshalJSON())) {
			t.Errorf("batch %d: %+v, want %+v", batch, got, want)
		}
	}
	if len(spares.idle) != 1 || spares.idle[0].served != 3 {
		t.Fatalf("%d children are kept", len(spares.idle))
	}
	first := spares.idle[0]
	if b, end := served(t, l, fails, 0); b.Failure == nil || b.Failure.Result.Verdict != verdict.LostWakeup || end.idle || len(spares.idle) != 0 || first.cmd.ProcessState == nil {
		t.Errorf("a failure: %+v, %d children are kept", b, len(spares.idle))
	}
	served(t, l, passes, 0)
	second := spares.idle[0]
	second.cmd.Process.Kill() //nolint:errcheck // the next request shows it
	for range second.lines {
	}
	if served(t, l, passes, 1); len(spares.idle) != 1 || spares.idle[0] == second {
		t.Error("a child that had ended is kept")
	}
	spares.idle[0].served = mostRequests
	if served(t, l, passes, 2); len(spares.idle) != 0 {
		t.Error("a child that has served its time is kept")
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}
