package command

import (
	"fmt"
	"os"
	"strings"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/spf13/cobra"
)

func newShrink(m *program) *cobra.Command {
	out := Path{What: "file"}
	c := &cobra.Command{
		Use:   "shrink FILE",
		Short: "Leave out of a controlled execution what it does not need to fail",
		Long: `Look for a shorter schedule that leads a recorded execution of a controlled scenario
to the same verdict at the same site, and write it to FILE.min.rouse, or FILE.min-2.rouse
and so on. No existing file is replaced.

Of a recording that chaos.Explore has written in a Go test, which is shrunk already,
it prints the command that repeats it. Native executions cannot be shrunk: their
interleaving is the machine's.`,
		Example: `  stress shrink rouse-out/NAME.rouse
  stress shrink rouse-out/NAME.rouse --out short.rouse`,
		Args:              OneArg("FILE", "a recording"),
		ValidArgsFunction: recordingArg,
		RunE:              func(c *cobra.Command, args []string) error { return m.shrinkFile(c, args[0], out.Name) },
	}
	c.Flags().Var(&out, "out", "file to write instead, which must not exist")
	return c
}

func newExplain(m *program) *cobra.Command {
	return &cobra.Command{
		Use:   "explain FILE",
		Short: "Show a recorded execution: what each task did, in which order",
		Long: `Repeat a recorded execution of a controlled scenario and show it as a table with a column for
each task. Of a lost wakeup it names the check, the post, the outcome of the notification, and
the sleeper. Of a native execution it shows what the recording has.

Of a recording that chaos.Explore has written in a Go test it prints the command
that repeats it, which shows the same.`,
		Example: `  stress explain rouse-out/NAME.min.rouse
  stress explain rouse-out/NAME.rouse | less`,
		Args:              OneArg("FILE", "a recording"),
		ValidArgsFunction: recordingArg,
		RunE:              func(c *cobra.Command, args []string) error { return m.explainFile(c, args[0]) },
	}
}

// recordingArg completes the argument of the commands that read a recording.
var recordingArg = firstArg(filesWith(strings.TrimPrefix(outcome.RecordingEnding, ".")))

// readRecorded reads the recording that an argument names.
func (m *program) readRecorded(c *cobra.Command, arg string) (*run.Recording, error) {
	file, err := FileArg(c, arg)
	if err != nil {
		return nil, err
	}
	rec, err := run.ReadRecording(file, m.subjects...)
	if err != nil {
		return nil, Usage("%w", err)
	}
	return rec, nil
}

// ofATest prints the command that repeats the recording of a test.
func (p *printer) ofATest(rec *run.Recording) {
	again, err := rec.GoTest()
	if err != nil {
		panic(err) // ReadRecording has checked it
	}
	p.Line("recorded by a test as %s: %s", rec.Verdict, rec.Summary)
	p.Line("reproduce: %s", again)
}

// title prints which execution of a scenario was recorded.
func (p *printer) title(rec *run.Recording) {
	by := fmt.Sprintf("by %s", rec.Strategy)
	if rec.Kind == recording.Native {
		by = fmt.Sprintf("of seed %#x", rec.Campaign)
	}
	p.Line("scenario %s, execution %d %s", rec.Scenario.Title(), rec.Execution, by)
	p.Line("recorded as %s: %s", rec.Verdict, rec.Summary)
}

// outcome shows what an execution has led to.
func (p *printer) outcome(r outcome.Result) {
	text := func(s string) {
		if s != "" {
			p.Line("\n%s", strings.TrimRight(s, "\n"))
		}
	}
	text(r.Events)
	text(strings.Join(r.Explanation, "\n"))
	text(r.State)
	text(r.Goroutines)
}

func (m *program) shrinkFile(c *cobra.Command, name, out string) error {
	rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	switch {
	case rec.Scenario == nil:
		p.ofATest(rec)
		p.Line("it is shrunk already: chaos.Explore shrinks what it records")
		return p.End()
	case rec.Kind == recording.Native && rec.Scenario.Mode == scenario.Control:
		return Usage("%s: the execution crashed its process, and has no schedule to shrink; want a recording of one that did not", rec.File)
	case rec.Kind == recording.Native:
		return Usage("%s: a native execution of %s cannot be shrunk, for its interleaving is the machine's; want a recording of a controlled scenario", rec.File, rec.Scenario.Name)
	}
	if _, err := os.Lstat(out); out != "" && err == nil {
		return Usage("--out %s: it is there already, and would be replaced: want another name, or delete it", out)
	}
	p.title(rec)
	shorter, attempts, err := rec.Shrink(c.Context())
	switch {
	case err != nil:
		return Failed(err)
	case shorter == nil:
		return Usage("%s: it does not end as %s any more, so that there is nothing to shrink; stress replay says what is gone", rec.File, rec.Verdict)
	}
	if out == "" {
		out, err = run.WriteNew(run.ShrunkName(rec.File), shorter.String())
	} else {
		err = atomicfile.WriteNew(out, []byte(shorter.String()))
	}
	if err != nil {
		return Failed(err)
	}
	p.Line("shrunk from %s to %d in %s", entries(len(rec.Entries)), len(shorter.Entries), executions(attempts))
	p.Line("written to %s", out)
	return p.End()
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

func executions(n int) string {
	if n == 1 {
		return "1 execution"
	}
	return fmt.Sprintf("%d executions", n)
}

func (m *program) explainFile(c *cobra.Command, name string) error {
	rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	if rec.Scenario == nil {
		p.ofATest(rec)
		return p.End()
	}
	p.title(rec)
	x, err := rec.Explain(c.Context())
	if err != nil {
		return Failed(err)
	}
	if r := x.Result; r.Verdict != rec.Verdict {
		p.Line("now it is %s: %s", r.Verdict, r.Summary)
	}
	for _, g := range x.Gone {
		p.Line("gone: %s", g)
	}
	p.outcome(x.Result)
	if x.Schedule == nil {
		return p.End()
	}
	p.Line("\nschedule:")
	var schedule strings.Builder // in one write: it may be long
	for _, e := range x.Schedule.Entries {
		schedule.WriteString(e.String())
		if e.Comment != "" {
			schedule.WriteString(" # " + e.Comment)
		}
		schedule.WriteByte('\n')
	}
	p.Line("%s", strings.TrimSuffix(schedule.String(), "\n"))
	return p.End()
}
