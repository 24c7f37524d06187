package outcome

import (
	"encoding/json"
	"testing"
	"time"
)

func TestLatencies(t *testing.T) {
	var l, other Latencies
	if l.Count() != 0 || l.Quantile(0.5) != 0 || !l.IsZero() {
		t.Errorf("the zero value: %d, %v", l.Count(), l.Quantile(0.5))
	}
	for i := range 100 {
		l.Add(time.Duration(i+1) * time.Millisecond)
	}
	other.Add(0)              // counts as a microsecond
	other.Add(24 * time.Hour) // as an hour
	l.Merge(&other)
	l.Merge(&Latencies{})
	if l.Count() != 102 || other.Count() != 2 {
		t.Errorf("%d and %d executions", l.Count(), other.Count())
	}
	for q, want := range map[float64]time.Duration{0: time.Microsecond, 0.5: 50 * time.Millisecond, 0.99: 100 * time.Millisecond, 1: time.Hour} {
		if got := l.Quantile(q); got < want*99/100 || got > want {
			t.Errorf("quantile %v: %v, want about %v", q, got, want)
		}
	}
	text, err := json.Marshal(struct{ Took, None Latencies }{Took: l})
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ Took, None Latencies }
	if err := json.Unmarshal(text, &back); err != nil || back.Took.Count() != 102 || !back.None.IsZero() {
		t.Errorf("%v: %s", err, text)
	}
	if again, _ := json.Marshal(back); string(again) != string(text) {
		t.Errorf("%s became %s", text, again)
	}
	for _, bad := range []string{`[[0,1]]`, `[[1,0]]`, `[[3600000001,1]]`, `[[1,9223372036854775807],[2,1]]`, `{}`, `[[1]]`} {
		if err := json.Unmarshal([]byte(bad), &l); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}
