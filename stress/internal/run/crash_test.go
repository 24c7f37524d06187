package run

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/fixture"
)

func TestJudgeEnding(t *testing.T) {
	last := &Begin{Execution: 4, Seed: 0xab, Setting: "workers 2"}
	for _, c := range []struct {
		name    string
		end     Ending
		verdict verdict.Verdict
		summary string
		err     string
	}{
		{name: "done", end: Ending{Done: true}},
		{name: "done, then trouble", end: Ending{Done: true, code: 1}},
		{name: "panic", end: Ending{last: last, code: 2, output: fixture.Panic}, verdict: verdict.Panicked,
			summary: "panic: index out of range [recovered]"},
		{name: "stale use", end: Ending{last: last, code: 2, output: "panic: pool: stale use: a loop: so\n\ngoroutine 1 [running]:\n"},
			verdict: verdict.StaleUse, summary: "panic: pool: stale use: a loop: so"},
		{name: "fatal error", end: Ending{last: last, code: 2, output: "fatal error: concurrent map writes\n"},
			verdict: verdict.Panicked, summary: "fatal error: concurrent map writes"},
		{name: "exit", end: Ending{last: last, code: 0}, verdict: verdict.Panicked,
			summary: "the process ended in the middle of the execution: exit code 0"},
		{name: "race by exit code", end: Ending{last: last, code: 66}, verdict: verdict.DataRace, summary: "the race detector reported"},
		{name: "race by its mark", end: Ending{last: last, code: 2, output: fixture.Race}, verdict: verdict.DataRace,
			summary: "data race: write in example.com/m.(*Counter).Add (/src/m/counter.go:12), previous read in example.com/m.(*Counter).Get (/src/m/counter.go:15)"},
		{name: "timeout", end: Ending{last: last, code: 2, timedOut: true, output: "SIGQUIT: quit\n"}, verdict: verdict.Timeout,
			summary: "not done after 1m0s, and the watchdog in its process did not report"},
		{name: "killed", end: Ending{last: last, code: -1, signal: "killed"},
			err: "a child process was ended from outside in execution 4: signal: killed"},
		{name: "before the first", end: Ending{code: 2, output: "\nstress-child: no\nmore\n"},
			err: "a child process ended before its first execution, or between two: exit code 2; it wrote: stress-child: no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := c.end.Judge(time.Minute)
			switch {
			case c.err != "" && (err == nil || err.Error() != c.err):
				t.Errorf("got %v, want %s", err, c.err)
			case c.err == "" && err != nil:
				t.Error(err)
			case (r == nil) != (c.verdict == ""):
				t.Errorf("got %+v", r)
			case r != nil && (r.Verdict != c.verdict || r.Summary != c.summary || r.Execution != 4 || r.Seed != 0xab || r.Setting != "workers 2"):
				t.Errorf("got %+v", r)
			}
		})
	}
}
