package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress"
)

func newShrink() *cobra.Command {
	out := path{what: "file"}
	c := &cobra.Command{
		Use:   "shrink FILE",
		Short: "Leave out of a controlled execution what it does not need to fail",
		Long: `Look for a shorter schedule that leads a recorded execution of a controlled scenario
to the same verdict at the same site, and write it to FILE.min.rouse.

Of a recording that chaos.Explore has written in a Go test, which is shrunk already,
it prints the command that repeats it. Native executions cannot be shrunk: their
interleaving is the machine's.`,
		Args: oneArg("FILE", "a recording"),
		RunE: func(c *cobra.Command, args []string) error { return shrink(c, args[0], out.name) },
	}
	c.Flags().Var(&out, "out", "file to write instead")
	return c
}

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain FILE",
		Short: "Show a recorded execution: who did what, in which order",
		Long: `Repeat a recorded execution of a controlled scenario and show it as a table with a
column for each task. Of a lost wakeup it says who checked, who posted, what became
of the notification, and who sleeps. Of a native execution it shows what the
recording has.

Of a recording that chaos.Explore has written in a Go test it prints the command
that repeats it, which shows the same.`,
		Args: oneArg("FILE", "a recording"),
		RunE: func(c *cobra.Command, args []string) error { return explain(c, args[0]) },
	}
}

// read reads the recording, of any kind, that an argument names: one of schedule and rec
// is set, and sc with a schedule of a scenario.
func read(c *cobra.Command, arg string) (file string, schedule *stress.Schedule, sc *stress.Scenario, rec *stress.Recording, err error) {
	if file, err = fileArg(c, arg); err != nil {
		return "", nil, nil, nil, err
	}
	schedule, sc, err = stress.ReadSchedule(file)
	if err == nil && schedule == nil {
		rec, err = stress.ReadRecording(file)
	}
	if err != nil {
		return "", nil, nil, nil, usage("%w", err)
	}
	return file, schedule, sc, rec, nil
}

// ofATest prints what repeats the recording of a test.
func (p *printer) ofATest(s *stress.Schedule, file string) {
	p.line("recorded by a test as %s: %s", s.Verdict, s.Summary)
	p.line("reproduce: %s", stress.GoTest(s, file))
}

// title says what a recording of a controlled scenario is of.
func (p *printer) title(sc *stress.Scenario, s *stress.Schedule) {
	p.line("scenario %s, execution %d by %s, execution seed %#x", sc.Title(), s.Execution, s.Strategy, s.Seed)
	p.line("recorded as %s: %s", s.Verdict, s.Summary)
}

// replaySchedule repeats an execution under control.
func replaySchedule(c *cobra.Command, p *printer, sc *stress.Scenario, s *stress.Schedule, times int, told bool) error {
	p.title(sc, s)
	report, err := stress.ReplaySchedule(c.Context(), sc, s, times, nil)
	counts := map[string]int{}
	var order []string
	for _, t := range report.Tries {
		if t.Same(s) {
			continue
		}
		what := fmt.Sprintf("%s, trace hash %016x", t.Verdict, t.Hash)
		if t.Summary != "" {
			what += ": " + t.Summary
		}
		if counts[what]++; counts[what] == 1 {
			order = append(order, what)
		}
	}
	if len(report.Tries) > 0 {
		p.line("%s", report.String())
	}
	for _, what := range order {
		p.line("%d took another way: %s", counts[what], what)
	}
	if err != nil {
		return failed(err)
	}
	if told || len(order) > 0 {
		x, err := stress.ExplainSchedule(c.Context(), sc, s)
		if err != nil {
			return failed(err)
		}
		for _, g := range x.Gone {
			p.line("gone: %s", g)
		}
		if len(order) > 0 && len(x.Gone) == 0 {
			p.line("every decision applies, and yet the trace differs: something that is no decision has changed since")
		}
		if told {
			p.story(x.Result)
		}
	}
	switch {
	case p.err != nil:
		return failed(p.err)
	case report.Convicted():
		return &exitError{exitConvicted, nil}
	}
	return nil
}

// story shows what an execution came to.
func (p *printer) story(r stress.Result) {
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

func shrink(c *cobra.Command, name, out string) error {
	file, s, sc, rec, err := read(c, name)
	if err != nil {
		return err
	}
	p := &printer{out: c.OutOrStdout()}
	switch {
	case rec != nil && rec.Scenario.Mode == stress.Control:
		return usage("%s: the execution took its process with it, and has no schedule to shrink; want a recording of one that did not", file)
	case rec != nil:
		return usage("%s: a native execution of %s cannot be shrunk, for its interleaving is the machine's; want a recording of a controlled scenario", file, rec.Scenario.Name)
	case sc == nil:
		p.ofATest(s, file)
		p.line("it is shrunk already: chaos.Explore shrinks what it records")
		return p.end()
	}
	if out == "" {
		out = stress.ShrunkName(file)
	}
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		return usage("--out %s: not a regular file", out)
	}
	p.title(sc, s)
	shorter, attempts, err := stress.ShrinkSchedule(c.Context(), sc, s)
	switch {
	case err != nil:
		return failed(err)
	case shorter == nil:
		return usage("%s: it does not end as %s any more, so that there is nothing to shrink; stress replay says what is gone", file, s.Verdict)
	}
	if err := shorter.Write(out); err != nil {
		return failed(err)
	}
	p.line("shrunk from %s to %d in %s", entries(len(s.Entries)), len(shorter.Entries), executions(attempts))
	p.line("written to %s", out)
	return p.end()
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

func explain(c *cobra.Command, name string) error {
	file, s, sc, rec, err := read(c, name)
	if err != nil {
		return err
	}
	p := &printer{out: c.OutOrStdout()}
	switch {
	case rec != nil:
		r := rec.Result
		p.line("%s, execution %d, recorded as %s: %s", rec.Scenario.Title(), r.Execution, r.Verdict, r.Summary)
		p.story(r)
		return p.end()
	case sc == nil:
		p.ofATest(s, file)
		return p.end()
	}
	p.title(sc, s)
	x, err := stress.ExplainSchedule(c.Context(), sc, s)
	if err != nil {
		return failed(err)
	}
	if r := x.Result; r.Verdict != s.Verdict {
		p.line("now it is %s: %s", r.Verdict, r.Summary)
	}
	for _, g := range x.Gone {
		p.line("gone: %s", g)
	}
	p.story(x.Result)
	p.line("\nschedule:")
	for _, e := range x.Schedule.Entries {
		if e.Comment != "" {
			p.line("%s # %s", e, e.Comment)
		} else {
			p.line("%s", e)
		}
	}
	return p.end()
}
