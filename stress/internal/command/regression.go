package command

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// A repetition is the outcome of a recorded execution that was repeated as a regression test.
type repetition struct {
	verdict verdict.Verdict
	summary string
	again   bool // it failed as recorded
	unused  int  // decisions that did not apply
	gone    []string
	skipped bool
	report  string
}

// regression runs stress replay --regression.
func (m *program) regression(c *cobra.Command, name string) error {
	rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	var r repetition
	switch {
	case !rec.Kind.Scheduled():
		return Usage("%s: it is a %s recording, which has no schedule to repeat exactly", rec.File, rec.Kind)
	case rec.Origin() == recording.OfStressTest:
		r, err = p.repeatedTest(c, rec)
	case rec.Scenario == nil:
		return Usage("%s: it is a recording of chaos.Explore; stress explain --test writes a test that repeats it", rec.File)
	default:
		p.title(rec)
		r, err = repeatedScenario(c, rec)
	}
	if err != nil {
		return err
	}
	return p.judged(rec.Recording, &r)
}

// repeatedTest repeats a recording of stress test once.
func (p *printer) repeatedTest(c *cobra.Command, rec *run.Recording) (repetition, error) {
	r, err := p.repeater(c, unmodified(), rec.File, rec.Recording)
	if err != nil {
		return repetition{}, err
	}
	defer r.Close()
	t, err := r.Again(c.Context())
	if err != nil {
		return repetition{}, failedTests(err)
	}
	again := repetition{verdict: t.Verdict, summary: t.Summary, again: t.Reproduced, unused: t.Unused, gone: t.Gone, skipped: t.Skipped}
	if again.summary == "" {
		again.summary = t.Differs
	}
	if t.Verdict != verdict.Pass {
		again.report = p.report(t)
	}
	return again, nil
}

// repeatedScenario repeats a recording of a controlled scenario once.
func repeatedScenario(c *cobra.Command, rec *run.Recording) (repetition, error) {
	report, err := rec.Replay(c.Context(), 1, nil)
	if err == nil && len(report.Tries) == 0 {
		err = errors.New("a child process ended without a result")
	}
	if err != nil {
		return repetition{}, Failed(err)
	}
	t := report.Tries[0]
	again := repetition{verdict: t.Verdict, summary: t.Summary, again: report.Reproduced() > 0, unused: t.Unused}
	x, err := rec.Explain(c.Context())
	if err != nil {
		return repetition{}, Failed(err)
	}
	again.gone = x.Gone
	if t.Verdict != verdict.Pass {
		again.report = strings.Join(append([]string{x.Result.Events}, x.Result.Explanation...), "\n")
	}
	return again, nil
}

// judged prints the result of a regression test. Its error has the exit code.
func (p *printer) judged(rec *recording.Recording, r *repetition) error {
	if report := strings.Trim(r.report, "\n"); report != "" {
		p.line("\n%s\n", report)
	}
	code := ExitFailed
	switch {
	case r.again:
		p.line("FAIL: the recorded %s still happens: %s", rec.Verdict, r.summary)
	case r.verdict != verdict.Pass:
		p.line("FAIL: the recorded schedule now leads to %s: %s", r.verdict, r.summary)
	case r.skipped:
		code = 0
		p.line("the test skips itself: nothing was repeated")
	default:
		code = 0
		p.line("pass: the recorded %s no longer happens", rec.Verdict)
	}
	p.applied(len(rec.Entries), r)
	switch {
	case p.err != nil:
		return Failed(p.err)
	case code == 0:
		return nil
	}
	return &ExitError{Code: code}
}

// applied prints how much of the schedule has applied.
func (p *printer) applied(entries int, r *repetition) {
	if r.skipped {
		return
	}
	if r.unused == 0 {
		p.line("its schedule applies")
		return
	}
	p.line("the code has moved on: %d of %d decisions do not apply", r.unused, entries)
	for _, g := range r.gone {
		p.line("gone: %s", g)
	}
}
