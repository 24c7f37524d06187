package run

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/subject"
)

// TestExplanationOfManySleepers: it names a few, and counts the others.
func TestExplanationOfManySleepers(t *testing.T) {
	d := &subject.Diagnosis{Verdict: verdict.LostWakeup, Sleeper: "worker 0", Checks: []string{"a/check"}, Posts: []string{"a/post"}}
	for i := range 64 {
		d.Sleepers = append(d.Sleepers, fmt.Sprintf("worker %d, on jobs (SET)", i))
		if i > 0 {
			d.Others = append(d.Others, fmt.Sprintf("worker %d sleeps", i))
		}
	}
	lines := timeline(nil).explain(d, nil, explain.Wakeup{})
	if len(lines) != 8 || lines[7] != "also          60 more" {
		t.Fatalf("the explanation is %q", lines)
	}
	if want := "sleeps        worker 0, on jobs (SET); worker 1, on jobs (SET); worker 2, on jobs (SET); 61 more"; lines[3] != want {
		t.Errorf("got  %s\nwant %s", lines[3], want)
	}
}
