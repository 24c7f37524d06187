package run

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

func recordingOf(sc scenario.Scenario, n int, v verdict.Verdict) *Recording {
	r := NativeRecording(&sc, 7, &outcome.Result{Execution: n, Seed: subject.Seed(7, sc.Name, n), Setting: sc.Setting(n), Verdict: v})
	return &Recording{Recording: r, Scenario: &sc}
}

func TestReplay(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, c := range []struct {
		script string
		want   string
	}{
		{"pass pass deadlock", "3 of 3 tries failed again with verdict deadlock"},
		{"deadlock deadlock pass", "0 of 3 tries failed again with verdict deadlock (3 pass)"},
		{"deadlock deadlock panics", "0 of 3 tries failed again with verdict deadlock (3 panic)"},
	} {
		rec := recordingOf(scripted("a", verdict.Pass, c.script), 2, verdict.Deadlock)
		tries := 0
		report, err := rec.Replay(t.Context(), 3, func(Try) { tries++ })
		if err != nil || tries != 3 || report.String() != c.want {
			t.Errorf("%s: %v, %d tries, %s", c.script, err, tries, report.String())
		}
	}
}

func TestReplayInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	rec := recordingOf(scripted("a", verdict.Pass, "deadlock"), 0, verdict.Deadlock)
	report, err := rec.Replay(ctx, 5, func(Try) { cancel(why) })
	if err != why || len(report.Tries) != 1 {
		t.Errorf("%v, %+v", err, report)
	}
}

func TestReplayReportString(t *testing.T) {
	r := ReplayReport{Recording: &Recording{Recording: &recording.Recording{Kind: recording.Native, Verdict: verdict.LostWakeup}}}
	for _, v := range []verdict.Verdict{verdict.Timeout, verdict.LostWakeup, verdict.Pass, verdict.Pass, verdict.LostWakeup} {
		r.Tries = append(r.Tries, Try{Repetition: recording.Repetition{Verdict: v}})
	}
	if got, want := r.String(), "2 of 5 tries failed again with verdict lost-wakeup (2 pass, 1 timeout)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A fault that fired in the recorded execution, at a point that no try has reached: the program is
// another one.
func TestReplayOfAnotherProgram(t *testing.T) {
	counts := func(hits uint64) []outcome.FaultCount {
		return []outcome.FaultCount{{At: "sleep/registered", Kind: "delay", Hits: 4, Fires: 0}, {At: "sleep/wake-notify", Kind: "drop", Hits: hits, Fires: hits}}
	}
	rec := NativeRecording(&scenario.Scenario{}, 0, &outcome.Result{Faults: counts(3)})
	r := ReplayReport{Recording: &Recording{Recording: rec}, Tries: []Try{{Faults: counts(0)}, {Faults: counts(0)}}}
	if got := r.Unreached(); len(got) != 1 || got[0].At != "sleep/wake-notify" {
		t.Errorf("got %v", got)
	}
	r.Tries[1].Faults = counts(1)
	if got := r.Unreached(); got != nil {
		t.Errorf("got %v of what was reached", got)
	}
	r.Tries[1].Faults = nil
	if got := r.Unreached(); got != nil {
		t.Errorf("got %v, and a try did not live to count", got)
	}
}
