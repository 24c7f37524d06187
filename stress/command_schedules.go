package stress

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/stress/internal/command"
)

func newShrink(m *program) *cobra.Command {
	out := command.Path{What: "file"}
	c := &cobra.Command{
		Use:   "shrink FILE",
		Short: "Leave out of a controlled execution what it does not need to fail",
		Long: `Look for a shorter schedule that leads a recorded execution of a controlled scenario
to the same verdict at the same site, and write it to FILE.min.rouse, or FILE.min-2.rouse
and so on. No file that is there is replaced.

Of a recording that chaos.Explore has written in a Go test, which is shrunk already,
it prints the command that repeats it. Native executions cannot be shrunk: their
interleaving is the machine's.`,
		Args: command.OneArg("FILE", "a recording"),
		RunE: func(c *cobra.Command, args []string) error { return m.shrinkFile(c, args[0], out.Name) },
	}
	c.Flags().Var(&out, "out", "file to write instead, which must not be there")
	return c
}

func newExplain(m *program) *cobra.Command {
	return &cobra.Command{
		Use:   "explain FILE",
		Short: "Show a recorded execution: who did what, in which order",
		Long: `Repeat a recorded execution of a controlled scenario and show it as a table with a
column for each task. Of a lost wakeup it says who checked, who posted, what became
of the notification, and who sleeps. Of a native execution it shows what the
recording has.

Of a recording that chaos.Explore has written in a Go test it prints the command
that repeats it, which shows the same.`,
		Args: command.OneArg("FILE", "a recording"),
		RunE: func(c *cobra.Command, args []string) error { return m.explainFile(c, args[0]) },
	}
}

// readRecorded reads the recording, of any kind, that an argument names: one of schedule and rec
// is set, and sc with a schedule of a scenario.
func (m *program) readRecorded(c *cobra.Command, arg string) (file string, schedule *Schedule, sc *Scenario, rec *Recording, err error) {
	if file, err = command.FileArg(c, arg); err != nil {
		return "", nil, nil, nil, err
	}
	schedule, sc, err = ReadSchedule(file, m.subjects...)
	if err == nil && schedule == nil {
		rec, err = ReadRecording(file, m.subjects...)
	}
	if err != nil {
		return "", nil, nil, nil, command.Usage("%w", err)
	}
	return file, schedule, sc, rec, nil
}

// ofATest prints what repeats the recording of a test. ReadSchedule has checked that it is of one.
func (p *printer) ofATest(s *Schedule, file string) {
	again, err := GoTest(s, file)
	if err != nil {
		panic(err)
	}
	p.Line("recorded by a test as %s: %s", s.Verdict, s.Summary)
	p.Line("reproduce: %s", again)
}

// title says what a recording of a controlled scenario is of.
func (p *printer) title(sc *Scenario, s *Schedule) {
	p.Line("scenario %s, execution %d by %s", sc.Title(), s.Execution, s.Strategy)
	p.Line("recorded as %s: %s", s.Verdict, s.Summary)
}

// replaySchedule repeats an execution under control.
func replaySchedule(c *cobra.Command, p *printer, sc *Scenario, s *Schedule, times int, told bool) error {
	p.title(sc, s)
	report, err := ReplaySchedule(c.Context(), sc, s, times, nil)
	counts := map[string]int{}
	var order []string
	for _, t := range report.Tries {
		likeness, differs := t.Compare(s)
		what := "failed as recorded, by another trace: " + differs
		switch likeness {
		case recording.Exact:
			continue
		case recording.NotReproduced:
			what = "took another way: " + differs
			if t.Summary != "" {
				what += ": " + t.Summary
			}
		}
		if counts[what]++; counts[what] == 1 {
			order = append(order, what)
		}
	}
	if len(report.Tries) > 0 {
		p.Line("%s", report.String())
	}
	for _, what := range order {
		p.Line("%d %s", counts[what], what)
	}
	if err != nil {
		return command.Failed(err)
	}
	if told || len(order) > 0 {
		x, err := ExplainSchedule(c.Context(), sc, s)
		if err != nil {
			return command.Failed(err)
		}
		for _, g := range x.Gone {
			p.Line("gone: %s", g)
		}
		if report.Same() < len(report.Tries) && len(x.Gone) == 0 {
			p.Line("every decision applies, and yet the trace differs: something that is no decision has changed since")
		}
		if told {
			p.story(x.Result)
		}
	}
	if report.Reproduced() == 0 {
		p.notReproduced(s.Verdict, s.Race())
	}
	if p.Err != nil {
		return command.Failed(p.Err)
	}
	return &command.ExitError{Code: command.ExitConvicted}
}

// notReproduced says that no try has failed as recorded.
func (p *printer) notReproduced(v Verdict, race bool) {
	why := ""
	if race && !ThisBuild().Race {
		why = "; it was recorded with the race detector, which this binary does not have"
	}
	p.Line("not reproduced: no try failed as the recorded %s%s", v, why)
}

// story shows what an execution came to.
func (p *printer) story(r Result) {
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
	file, s, sc, rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	switch {
	case rec != nil && rec.Scenario.Mode == Control:
		return command.Usage("%s: the execution took its process with it, and has no schedule to shrink; want a recording of one that did not", file)
	case rec != nil:
		return command.Usage("%s: a native execution of %s cannot be shrunk, for its interleaving is the machine's; want a recording of a controlled scenario", file, rec.Scenario.Name)
	case sc == nil:
		p.ofATest(s, file)
		p.Line("it is shrunk already: chaos.Explore shrinks what it records")
		return p.End()
	}
	if _, err := os.Lstat(out); out != "" && err == nil {
		return command.Usage("--out %s: it is there already, and would be replaced: want another name, or delete it", out)
	}
	p.title(sc, s)
	shorter, attempts, err := ShrinkSchedule(c.Context(), sc, s)
	switch {
	case err != nil:
		return command.Failed(err)
	case shorter == nil:
		return command.Usage("%s: it does not end as %s any more, so that there is nothing to shrink; stress replay says what is gone", file, s.Verdict)
	}
	if out, err = writeShrunk(file, out, shorter); err != nil {
		return command.Failed(err)
	}
	p.Line("shrunk from %s to %d in %s", entries(len(s.Entries)), len(shorter.Entries), executions(attempts))
	p.Line("written to %s", out)
	return p.End()
}

// writeShrunk writes what was shrunk from that file into out, or under the first name that is free
// if that is "". It returns the name.
func writeShrunk(file, out string, shorter *Schedule) (string, error) {
	if out != "" {
		return out, shorter.WriteNew(out)
	}
	return writeNew(filepath.Dir(file), strings.TrimSuffix(filepath.Base(ShrunkName(file)), recordingEnding), []byte(shorter.String()))
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
	file, s, sc, rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	switch {
	case rec != nil:
		r := rec.Result
		p.Line("%s, execution %d, recorded as %s: %s", rec.Scenario.Title(), r.Execution, r.Verdict, r.Summary)
		p.story(r)
		return p.End()
	case sc == nil:
		p.ofATest(s, file)
		return p.End()
	}
	p.title(sc, s)
	x, err := ExplainSchedule(c.Context(), sc, s)
	if err != nil {
		return command.Failed(err)
	}
	if r := x.Result; r.Verdict != s.Verdict {
		p.Line("now it is %s: %s", r.Verdict, r.Summary)
	}
	for _, g := range x.Gone {
		p.Line("gone: %s", g)
	}
	p.story(x.Result)
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
