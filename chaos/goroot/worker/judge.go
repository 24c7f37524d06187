package worker

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
)

// judge adds to the result of the last execution what the engine does not know: the outcome of the test,
// and the race detector.
func (s *session) judge(r control.Result) control.Result {
	failed, skipped, message := s.last.End()
	if s.tainted == "" {
		s.tainted = r.Tainted
	}
	message = oneLine(message)
	s.skipped, s.reason, s.early.failed, s.real = skipped, "", false, false
	if skipped {
		s.reason = message
	}
	race, raced := s.worker.races.take()
	early := s.clock != control.Racy && r.Late > 0 // on account of loops with a lazy clock, too
	consequence := early && s.check.failed && s.check.late
	switch {
	case r.Verdict == verdict.Nondeterminism: // a strategy has noticed it
		r.Verdict, s.differed = verdict.Uncontrolled, true
	case r.Verdict == verdict.Uncontrolled:
		r.Detail += s.detail + race.text
	case r.Verdict != verdict.Pass && (consequence || early && r.Deliberate):
		r = s.early.pass(r, message)
		s.tainted = cmp.Or(s.tainted, "an execution that does not count has not ended")
	case r.Verdict != verdict.Pass:
		r.Detail += s.detail + race.text
	case raced && !(consequence && s.check.races == race.earlier):
		r.Verdict, r.Summary, r.Detail = verdict.DataRace, race.summary, race.text
	case consequence:
		r = s.early.pass(r, message)
	case failed && s.lack() != "":
		r.Verdict, r.Summary, r.Detail = verdict.Uncontrolled, s.lack()+", and the test fails: "+message, helps("a fake in place of what is real")
		s.real = true
	case failed:
		r.Verdict, r.Summary = verdict.WrongResult, cmp.Or(message, "the test has failed")
	}
	r.Effect = r.Verdict
	return r
}

// A check is the first check of the test's own that has failed in an execution.
type check struct {
	failed bool
	late   bool // a timer had fired early, later than any machine may be
	races  int  // that had been reported by then
}

// failing is called by a task, at the first failed check of an execution.
//
//go:norace
func (s *session) failing() {
	if !s.check.failed {
		s.check = check{true, s.Engine.Late() > 0, racing.Errors()}
	}
}

// lack returns what the test has asked for in the last execution that control cannot give; "" if nothing.
// Its own checks count for nothing then.
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

// earlyTimers keeps how executions fail that do not count: a timer has fired early that no machine would have
// let fire, and then a check of the test has failed, or code has given up by a panic of its own or os.Exit.
// Such code knows how long it has to wait, and so does a test that sleeps and then checks. What follows from
// that, such as a deadlock, does not count either. A failure without it counts: time-outs that hit in the
// middle of anything are where bugs are. The clock racy counts all.
type earlyTimers struct {
	failed  bool   // the last execution is one
	summary string // its summary
	first   int    // the number of the first; -1 if there is none
	text    string // its summary
}

// pass makes the result one that does not count. message is that of the failed check; "" if there
// is none.
func (e *earlyTimers) pass(r control.Result, message string) control.Result {
	e.failed, e.summary = true, cmp.Or(message, oneLine(r.Summary), "the test has failed")
	r.Verdict, r.Summary, r.Detail, r.Tasks, r.Deliberate, r.Noted = verdict.Pass, "", "", nil, false, true
	return r
}

// count counts execution n, which is one of them.
func (e *earlyTimers) count(n int) {
	if e.first < 0 {
		e.first, e.text = n, e.summary
	}
}

// note describes the first; "" if there is none.
func (e *earlyTimers) note() string {
	if e.first < 0 {
		return ""
	}
	return fmt.Sprintf("the test fails when timers fire early, first in execution %d: %s; --clock racy makes that a failure", e.first, e.text)
}
