package command

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
)

func newExplain(m *program) *cobra.Command {
	var test bool
	var passing string
	out, page := Path{What: "file"}, Path{What: "file"}
	c := &cobra.Command{
		Use:   "explain FILE",
		Short: "Show a recorded execution: what each task did, in which order",
		Long: `Repeat a recorded execution of a controlled scenario and show it as a table with a column for
each task. Of a lost wakeup it names the check, the post, the outcome of the notification, and
the sleeper. Of a native execution it shows what the recording has.

Of a recording of stress test it builds the test and repeats it. Of a recording that chaos.Explore has
written in a Go test it prints the command that repeats it, which shows the same.

With --html it writes a page as well, which shows the execution with a lane for each goroutine beside the
sources; the page needs no network. A page of chaos.Explore needs the test to be run, by the go command.
A native execution has none: its steps are not known. Exit code 1 if the failure does not happen any more.

The lines "fails" and "passes" are about two operations: in the other order the execution passes. They are
found by experiment. With --against PASSING only pairs are tried that come in another order in that
execution, which must pass in the code as it is now: a recording of the same test or scenario, or
SEED:EXECUTION, an execution of a run by the seed of that and its number. Of both it takes settings and
strategy from FILE. If no single flip makes FILE pass, the first pair that differs is shown.

With --test it writes a Go test of its own to commit: it repeats the recording, fails while that
fails, and passes once it does not. The recording is copied to testdata/chaos of the package unless
it is there. The test of a recording of stress test runs stress, and that of a controlled scenario
the program that has made the recording, with go run.`,
		Example: `  stress explain rouse-out/NAME.min.rouse
  stress explain rouse-out/NAME.rouse | less
  # a page to look at, or to keep as an artifact
  stress explain queue/testdata/chaos/TestClose/5be0cd19137e2179.rouse --html failure.html
  # compared with execution 17 of the run whose seed was 42
  stress explain queue/testdata/chaos/TestClose/5be0cd19137e2179.rouse --against 42:17
  stress explain --test queue/testdata/chaos/TestClose/5be0cd19137e2179.rouse`,
		Annotations:       map[string]string{anyBuild: ""},
		Args:              oneArg("FILE", "a recording"),
		ValidArgsFunction: recordingArg,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case test && page.Name != "":
				return Usage("--test and --html exclude each other, want one of them")
			case test && passing != "":
				return Usage("--test and --against exclude each other, want one of them")
			case test:
				return m.writeTest(c, args[0], out.Name)
			case out.Name != "":
				return Usage("-o %s needs --test", out.Name)
			case page.Name != "":
				if err := checkPage(page.Name); err != nil {
					return err
				}
			}
			return m.explainFile(c, args[0], page.Name, passing)
		},
	}
	c.Flags().Var(&page, "html", "file for a page of HTML that shows the execution")
	completeFlag(c, "html", filesWith("html"))
	c.Flags().StringVar(&passing, "against", "", "`PASSING` execution to compare with: a recording, or SEED:EXECUTION (default: the nearest)")
	completeFlag(c, "against", filesWith(strings.TrimPrefix(outcome.RecordingEnding, ".")))
	c.Flags().BoolVar(&test, "test", false, "write a Go test that repeats the recording, instead")
	c.Flags().VarP(&out, "output", "o", "with --test: its file, in the folder of the package (default: a name that is free)")
	return c
}

func (m *program) explainFile(c *cobra.Command, name, page, passing string) error {
	rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	other, err := m.readAgainst(c, rec, passing)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	switch {
	case page != "" && !rec.Kind.Scheduled():
		return Usage("--html %s: %s is a native recording, and a page shows controlled executions only%s", page, rec.File, insteadOfPage(rec))
	case rec.Origin() == recording.OfStressTest:
		return p.explainTest(c, rec, page, other)
	case rec.Scenario == nil && page == "":
		p.ofATest(rec)
		return p.end()
	case rec.Scenario == nil:
		return p.explainExplore(c, rec, page)
	}
	p.title(rec)
	explain := rec.Explain
	switch {
	case other.text != "":
		explain = func(ctx context.Context) (*run.Explanation, error) {
			return rec.ExplainAgainst(ctx, other.text, page != "")
		}
	case page != "":
		explain = rec.ExplainPage
	}
	x, err := explain(c.Context())
	if err != nil {
		return other.failed(err)
	}
	if r := x.Result; r.Verdict != rec.Verdict {
		p.line("now it is %s: %s", r.Verdict, r.Summary)
	}
	for _, g := range x.Gone {
		p.line("gone: %s", g)
	}
	p.outcome(x.Result)
	if x.Schedule != nil {
		p.schedule(x.Schedule)
	}
	if page != "" {
		return p.page(page, pageOfScenario(rec, x))
	}
	return p.end()
}

// schedule shows the decisions of an execution.
func (p *printer) schedule(rec *recording.Recording) {
	if len(rec.Entries) == 0 {
		p.line("\nschedule: no decision differs from the default")
		return
	}
	p.line("\nschedule:")
	var schedule strings.Builder // in one write: it may be long
	for _, e := range rec.Entries {
		schedule.WriteString(e.String())
		if e.Comment != "" {
			schedule.WriteString(" # " + e.Comment)
		}
		schedule.WriteByte('\n')
	}
	p.line("%s", strings.TrimSuffix(schedule.String(), "\n"))
}

// outcome shows the outcome of an execution.
func (p *printer) outcome(r outcome.Result) {
	text := func(s string) {
		if s != "" {
			p.line("\n%s", strings.TrimRight(s, "\n"))
		}
	}
	text(r.Events)
	text(strings.Join(r.Explanation, "\n"))
	text(r.State)
	text(r.Goroutines)
}
