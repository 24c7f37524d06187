package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/page"
	"github.com/rouse-go/rouse/stress/internal/called"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// repeat runs stress test --replay: it repeats the recording once, and explains it.
func (f *testFlags) repeat(c *cobra.Command, o suite.Options) error {
	rec, err := recording.Read(f.replay.Name)
	if err != nil {
		return Usage("--replay: %w", err)
	}
	if rec.Origin() != recording.OfStressTest {
		return Usage("--replay %s: found a recording of %s, want one that stress test has made; stress replay repeats others", f.replay.Name, nearest.Clip(rec.Subject))
	}
	return newPrinter(c).repeatTest(c, o, f.replay.Name, rec, 1, true)
}

// unmodified returns the options with which other commands repeat a recording of stress test.
func unmodified() suite.Options {
	return suite.Options{Command: called.Command(false)}
}

// repeater builds the test of a recording.
func (p *printer) repeater(c *cobra.Command, o suite.Options, file string, rec *recording.Recording) (*suite.Repeater, error) {
	o.Doing = func(what string) { fmt.Fprintln(c.ErrOrStderr(), what) } //nolint:errcheck // it is the progress
	r, err := suite.NewRepeater(c.Context(), o, file, rec)
	if err != nil {
		return nil, failedTests(err)
	}
	p.line("%s, execution %d by %s", r.Title(), rec.Execution, rec.Strategy)
	p.line("recorded as %s: %s", rec.Verdict, rec.Summary)
	return r, nil
}

// repeatTest repeats a recording of a test, and shows the result. Its error has the exit code.
func (p *printer) repeatTest(c *cobra.Command, o suite.Options, file string, rec *recording.Recording, times int, explain bool) error {
	r, err := p.repeater(c, o, file, rec)
	if err != nil {
		return err
	}
	defer r.Close()
	exact, same := 0, 0
	last := ""
	for n := range times {
		t, err := r.Again(c.Context())
		if err != nil {
			return failedTests(err)
		}
		switch {
		case t.Exact:
			exact++
		case t.Reproduced && rec.Kind == recording.Native:
			same++
			p.line("try %d: %s: %s", n+1, t.Verdict, t.Summary)
		case t.Reproduced:
			same++
			p.line("try %d: %s, by another trace: %s", n+1, t.Verdict, t.Differs)
		default:
			p.line("try %d: not reproduced: %s: %s", n+1, t.Verdict, t.Differs)
		}
		last = p.report(t)
	}
	if explain && last != "" {
		p.line("\n%s\n", strings.Trim(last, "\n"))
	}
	if rec.Kind == recording.Native {
		p.line("%s of %d failed again with verdict %s", countOf(same), times, rec.Verdict)
	} else {
		p.line("%s of %d reproduced %s, with equal trace hash %016x", countOf(exact), times, rec.Verdict, rec.Hash)
	}
	if same > 0 && rec.Kind != recording.Native {
		p.line("%d failed as recorded, by another trace: the code, or what is out of control, has changed since", same)
	}
	if exact+same == 0 {
		p.line("not reproduced: the recorded %s", rec.Verdict)
	}
	if p.err != nil {
		return Failed(p.err)
	}
	return &ExitError{Code: ExitFailed}
}

// report returns the report for people on a try, for the width of the terminal.
func (p *printer) report(t suite.Try) string {
	if t.Page == nil {
		return t.Report
	}
	width := report.LogWidth
	if ask := terminalWidth(p.out); ask != nil {
		width = ask()
	}
	return t.Page.Text(width)
}

func countOf(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// explainTest repeats a recording of a test once, and shows what happens in it, also as a page if name is not
// "".
func (p *printer) explainTest(c *cobra.Command, rec *run.Recording, name string, passing *against) error {
	o := unmodified()
	o.Timelines, o.Against = name != "", passing.text
	r, err := p.repeater(c, o, rec.File, rec.Recording)
	if err != nil {
		return err
	}
	defer r.Close()
	t, err := r.Again(c.Context())
	if err != nil {
		return passing.failed(err)
	}
	if !t.Exact && !t.Reproduced {
		p.line("now it is %s: %s", t.Verdict, t.Differs)
	}
	p.line("\n%s", strings.Trim(p.report(t), "\n"))
	if t.Verdict != verdict.Pass && rec.Kind != recording.Native {
		p.schedule(rec.Recording)
	}
	if name == "" {
		return p.end()
	}
	return p.page(name, &page.Failure{
		Title: r.Title(), Verdict: t.Verdict, Summary: t.Summary, Command: r.Command(rec.File), Page: t.Page, Timelines: t.Timelines,
	})
}

// shrinkTest shrinks a recording of a test. If that is not possible, it returns nil and the reason.
func (p *printer) shrinkTest(c *cobra.Command, rec *run.Recording) (*recording.Recording, error) {
	r, err := p.repeater(c, unmodified(), rec.File, rec.Recording)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	shorter, reason, err := r.Shrink(c.Context())
	switch {
	case err != nil:
		return nil, failedTests(err)
	case shorter == nil:
		return nil, Usage("%s: it cannot be repeated, so there is nothing to shrink: %s", rec.File, reason)
	}
	return shorter, nil
}

// failedTests returns the error of a run of tests, with its exit code.
func failedTests(err error) error {
	var input *suite.InputError
	if errors.As(err, &input) {
		return Usage("%w", err)
	}
	return Failed(err)
}
