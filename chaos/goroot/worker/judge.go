package worker

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// judge adds to the result of the last execution what the engine does not know: the outcome of the test,
// and the race detector.
func (s *session) judge(r control.Result) control.Result {
	failed, skipped, message := s.last.End()
	if s.tainted == "" {
		s.tainted = r.Tainted
	}
	message = oneLine(message)
	s.skipped, s.reason, s.early.message = skipped, "", ""
	if skipped {
		s.reason = message
	}
	race, raced := s.worker.races.take()
	switch {
	case r.Verdict == verdict.Nondeterminism: // a strategy has noticed it
		r.Verdict = verdict.Uncontrolled
	case r.Verdict != verdict.Pass:
		r.Detail += s.detail + race.text
	case raced:
		r.Verdict, r.Summary, r.Detail = verdict.DataRace, race.summary, race.text
	case failed && s.clock == control.Mixed && r.Late > 0:
		s.early.message = message
	case failed && s.lack() != "":
		r.Verdict, r.Summary = verdict.Uncontrolled, s.lack()+", and the test fails: "+message
	case failed:
		r.Verdict, r.Summary = verdict.WrongResult, cmp.Or(message, "the test has failed")
	}
	r.Effect = r.Verdict
	return r
}

// lack says what the test has asked for in the last execution that control cannot give; "" is nothing. Its
// own checks count for nothing then.
func (s *session) lack() string {
	if lack := s.worker.binary.Lack; lack != nil {
		return lack()
	}
	return ""
}

// longestMessage bounds the summary of a failed test, in bytes.
const longestMessage = 200

// oneLine returns the first line of a message that begins with its place. Libraries of assertions begin
// theirs with an empty line: then what follows is joined, without the folders of this machine and
// testify's trace.
func oneLine(message string) string {
	first, rest, _ := strings.Cut(strings.TrimRight(message, "\n"), "\n")
	if strings.HasSuffix(first, ": ") {
		words := strings.Fields(rest)
		for i, w := range words {
			if strings.HasPrefix(w, "/") && strings.Contains(w, ".go:") {
				words[i] = path.Base(w)
			}
		}
		text := strings.Join(words, " ")
		if trace, after, ok := strings.Cut(text, " Error: "); ok && strings.HasPrefix(trace, "Error Trace: ") {
			text = "Error: " + after
		}
		first += text
	}
	first = strings.TrimSpace(first) // as a recording has it
	if len(first) > longestMessage {
		first = strings.ToValidUTF8(first[:longestMessage], "") + "..."
	}
	return first
}

// earlyTimers counts the executions in which the test has failed after a timer had fired while a task
// could continue. Tests that sleep and then check are common, so that is a failure only if the user
// asks for it, by the clock racy.
type earlyTimers struct {
	message    string // of the last execution; "" if it is none of them
	executions int
	first      int // the number of the first
	text       string
}

// count counts execution n, if it is one of them.
func (e *earlyTimers) count(n int) {
	if e.message == "" {
		return
	}
	if e.executions++; e.executions == 1 {
		e.first, e.text = n, e.message
	}
}

// note describes what has been counted; "" is nothing.
func (e *earlyTimers) note() string {
	if e.executions == 0 {
		return ""
	}
	return fmt.Sprintf("the test fails when timers fire early, in %d executions, first in %d: %s; --clock racy makes that a failure", e.executions, e.first, e.text)
}
