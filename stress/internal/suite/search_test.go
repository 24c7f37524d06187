package suite

import (
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// TestSearchForANativeFailure: what controlled workers find is shrunk, repeated, and recorded beside the native
// recording, and the command repeats it.
func TestSearchForANativeFailure(t *testing.T) {
	for _, does := range []string{"hangs 3", "deadlocks 3"} {
		o := fakes(t, "TestA: "+does+", native, searched fails 140")
		o.Native, o.Timeout, o.Search = true, hangTimeout, outcome.SearchBudget{Executions: 400}
		r := one(t, o)
		s := r.Search
		if r.Status != report.TestFailed || s == nil || !s.Reproduced || s.Verdict != verdict.Deadlock || s.Execution != 140 || s.Executions != 141 || s.Decisions != 2 || s.Extent() != "shrunk to 2 decisions" {
			t.Fatalf("%s: %+v, %+v", does, r, s)
		}
		if !strings.HasSuffix(r.Reproduce, "--replay "+s.Recording) || !strings.Contains(r.Report, "\n\nunder control:\ndeadlock in execution 140") {
			t.Errorf("%s: %s\n%s", does, r.Reproduce, r.Report)
		}
		for path, kind := range map[string]recording.Kind{r.Recording: recording.Native, s.Recording: recording.Unmodified} {
			if rec, err := recording.Read(path); err != nil || rec.Kind != kind {
				t.Errorf("%s: %v, %+v", path, err, rec)
			}
		}
		rec, err := recording.Read(r.Recording)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewRepeater(t.Context(), o, r.Recording, rec)
		if err != nil {
			t.Fatal(err)
		}
		again, found, err := p.Search(t.Context())
		p.Close()
		if err != nil || !again.Reproduced || again.Execution != 140 || found == nil || len(found.Entries) != 2 {
			t.Errorf("%s: the recording: %v, %+v, %+v", does, err, again, found)
		}
	}
}

// TestSearchThatDoesNotReproduce: what is searched for does not happen, happens in another way, or cannot be
// controlled; the budget of executions is kept.
func TestSearchThatDoesNotReproduce(t *testing.T) {
	for does, want := range map[string]string{
		"searched passes":             "not reproduced under control in 200 executions (",
		"searched uncontrolled 150":   "): execution 150 is uncontrolled: map iteration at m.go:5",
		"searched cut 20":             "): execution 20 is timeout: not done after 10 steps",
		"searched dies 9":             "; another failure was found: panic in execution 9: fatal error: concurrent map writes",
		"searched skips":              ": the test skips itself",
		"searched exhausts 5":         "not reproduced under control in 6 executions (",
		"searched fails 3, elsewhere": ": what was found cannot be repeated: step 9 differs",
		// Its repetition is exact once more.
		"searched fails 3, unrepeatable": ": what was found cannot be repeated: step 7 differs",
	} {
		o := fakes(t, "TestA: deadlocks 3, native, "+does)
		o.Native, o.Search = true, outcome.SearchBudget{Executions: 200}
		r := one(t, o)
		if r.Search == nil || r.Search.Reproduced || r.Search.Recording != "" || !strings.Contains(r.Search.String(), want) {
			t.Errorf("%s: %+v: %s, want %s", does, r, r.Search, want)
		}
		if !strings.HasSuffix(r.Reproduce, "--replay "+r.Recording) || r.Verdict != verdict.Deadlock {
			t.Errorf("%s: %s, %s", does, r.Verdict, r.Reproduce)
		}
	}
}

// TestSearchEndsWithItsTime: the rest of a batch is given up; with no budget there is no search.
func TestSearchEndsWithItsTime(t *testing.T) {
	o := fakes(t, "TestA: fails 3, native, searched slow")
	o.Native, o.Search = true, outcome.SearchBudget{For: time.Millisecond}
	if r := one(t, o); r.Search == nil || r.Search.Verdict != "" || r.Search.Problem != "" || r.Search.Executions == 0 {
		t.Errorf("%+v", r.Search)
	}
	o.Search = outcome.SearchBudget{}
	if r := one(t, o); r.Search != nil {
		t.Errorf("%+v", r.Search)
	}
}
