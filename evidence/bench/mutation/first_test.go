package mutation

import (
	"strings"
	"testing"
	"time"
)

// Catches: the text of a report that is not read back, a mutant that a campaign has not reported left out of
// its times, and one that none has reported counted.
func TestFirstTable(t *testing.T) {
	report := func(column string, after time.Duration) Trial {
		return Trial{Column: column, Outcome: "killed", What: "mutation: " + FirstReport{After: after, Failed: "join", Verdict: "deadlock"}.String()}
	}
	quiet := Trial{Column: "old", Outcome: "survived"}
	s := Subject{Data: Data{Columns: []Column{{Name: "old"}, {Name: "new"}, {Name: "tests"}, {Name: "some"}}, Mutants: []Mutant{
		{Trials: []Trial{report("old", 20*time.Second), report("new", 3*time.Second)}},
		{Trials: []Trial{report("old", 10*time.Second), report("new", 4*time.Second)}},
		{Trials: []Trial{quiet, report("new", 25*time.Second)}},
		{Trials: []Trial{quiet, {Column: "new", Outcome: "survived"}, report("some", time.Second), {Column: "tests", Outcome: "killed", What: "it took 9 s"}}},
	}}}
	var b strings.Builder
	s.firstTable(&b)
	const want = `
| campaign | reported | median | 90th percentile |
|---|---:|---:|---:|
| old | 2 of 3 | 20.0 s | not reported |
| new | 3 of 3 | 4.0 s | 25.0 s |
`
	if !strings.HasSuffix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
