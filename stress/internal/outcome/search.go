package outcome

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A Search is the result of searching for a native failure under control.
type Search struct {
	Executions int           `json:"executions"` // executions that were run
	Took       time.Duration `json:"took_ns"`    // shrinking included
	// Points lists where the tasks were last seen in the native execution: the schedules are varied most
	// there.
	Points []string `json:"points,omitempty"`
	// Verdict, Summary and Execution are of the execution that failed; Verdict is "" if none did.
	Verdict   verdict.Verdict `json:"verdict,omitempty"`
	Summary   string          `json:"summary,omitempty"`
	Execution int             `json:"execution,omitempty"`
	// Reproduced means that it failed like the native execution. Otherwise it is another failure.
	Reproduced bool `json:"reproduced"`
	// Recording is its file; "" if it ended its process. Decisions counts the entries of its schedule.
	Recording string `json:"recording,omitempty"`
	Decisions int    `json:"decisions,omitempty"`
	// Unshrunk is why its schedule is not shrunk; "" if it is.
	Unshrunk string `json:"unshrunk,omitempty"`
	// Problem is why the search was not possible, or ended before its budget was used up; "" if neither.
	Problem string `json:"problem,omitempty"`
}

// Take adds a failure to the result, unless it is of another kind than the native one and not the first. It
// reports whether it has kept the failure, and whether it is of the same kind, which ends the search.
func (s *Search) Take(native, v verdict.Verdict, summary string, execution int) (kept, same bool) {
	same = Alike(v, native)
	if kept = same || s.Verdict == ""; kept {
		s.Verdict, s.Summary, s.Execution, s.Reproduced = v, summary, execution, same
	}
	return kept, same
}

// String describes the search in one line.
func (s *Search) String() string {
	within := fmt.Sprintf("%s (%s)", prose.Plural(s.Executions, "execution"), s.Took.Round(10*time.Millisecond))
	if s.Executions == 0 {
		return "not searched for under control: " + cmp.Or(s.Problem, "no execution ended in "+s.Took.Round(10*time.Millisecond).String())
	}
	text := fmt.Sprintf("not reproduced under control in %s", within)
	if s.Problem != "" {
		text += ": " + s.Problem
	}
	found := fmt.Sprintf("%s in execution %d: %s", s.Verdict, s.Execution, s.Summary)
	switch {
	case s.Reproduced:
		text = fmt.Sprintf("reproduced under control in %s, as %s", within, found)
	case s.Verdict != "":
		text += "; another failure was found: " + found
	}
	return text
}

// Extent describes the length of the recording's schedule.
func (s *Search) Extent() string {
	switch {
	case s.Unshrunk != "":
		return fmt.Sprintf("%s, not shrunk: %s", prose.Plural(s.Decisions, "decision"), strings.TrimSpace(s.Unshrunk))
	case s.Decisions == 0:
		return "the default schedule"
	}
	return "shrunk to " + prose.Plural(s.Decisions, "decision")
}
