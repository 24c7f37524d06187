package core

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// Catches: a summary that grows with the tasks, and one that does not name all of a few.
func TestSummaryOfMany(t *testing.T) {
	for n, want := range map[int]string{
		1:             "no task can continue: main/0 waits in its beginning",
		2:             "no task can continue: main/0 waits in its beginning, and so does main/1",
		4:             "no task can continue: main/0 waits in its beginning, and so do main/1, main/2, main/3",
		MostNamed + 2: "no task can continue: main/0 waits in its beginning, and so do main/1, main/2, main/3 and 10 more",
	} {
		o := Outcome{Verdict: verdict.Deadlock}
		for i := range n {
			o.Tasks = append(o.Tasks, TaskState{Path: fmt.Sprintf("main/%d", i), Waits: "waits"})
		}
		if got := Summarize(o); got != want {
			t.Errorf("%d tasks: %q, want %q", n, got, want)
		}
	}
}
