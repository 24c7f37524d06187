package stress

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/command"
)

func newReplay(m *program) *cobra.Command {
	times, told := command.Count(10), false
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Run a recorded execution again, and say how often it fails again",
		Long: `Run a recorded execution again, and say how often it fails again.

A native one is run in a process of its own each time. The seed brings back the workload and what the plan draws;
the interleaving is the machine's, so a failure need not come back.

A recorded execution of a controlled scenario is repeated exactly, schedule and
all, in one process: it says how many tries had the recorded verdict and an equal
trace hash, and if one had not, which task and place of the recording are gone.

Of a recording that chaos.Explore has written in a Go test it prints the command
that repeats it, exactly.

Exit code 1 if it failed again, and also if it did not: a failure that is not
reproduced proves nothing, and the output says what differs. Exit code 2 if this binary
cannot reproduce it: a data race without the race detector.`,
		Args: command.OneArg("FILE", "a recording"),
		RunE: func(c *cobra.Command, args []string) error { return m.replayFile(c, args[0], int(times), told) },
	}
	c.Flags().BoolVar(&told, "explain", false, "show the execution as stress explain does (controlled scenarios)")
	c.Flags().Var(&times, "times", "how often to run it")
	return c
}

func (m *program) replayFile(c *cobra.Command, name string, times int, told bool) error {
	file, schedule, sc, rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	switch {
	case sc != nil:
		return replaySchedule(c, p, sc, schedule, times, told)
	case schedule != nil:
		p.ofATest(schedule, file)
		return p.End()
	}
	r := &rec.Result
	if r.Verdict == DataRace && !ThisBuild().Race {
		return command.Usage("%s: it is a data race, and this binary has no race detector; want one that is built with -race", file)
	}
	p.Line("%s, execution %d of seed %#x", rec.Scenario.Title(), r.Execution, rec.CampaignSeed)
	p.Line("recorded as %s: %s", r.Verdict, r.Summary)
	if here := ThisBuild(); here != rec.Build {
		p.Line("recorded by %s", rec.Build)
		p.Line("replayed by %s", here)
	}
	if rec.Scenario.Mode == Native {
		p.Line("native replay is not exact: the faults are drawn as they were, the interleaving is the machine's")
	} else {
		p.Line("it took its process with it, schedule and all: it is run again with what its strategy had learnt")
	}
	n := 0
	report, err := Replay(c.Context(), rec, times, func(t Result) {
		if n++; t.Verdict == Pass {
			p.Line("try %d: pass", n)
		} else {
			p.Line("try %d: %s: %s", n, t.Verdict, t.Summary)
		}
	})
	if len(report.Tries) > 0 {
		p.Line("%s", report.String())
		for _, f := range report.unreached() {
			p.Line("gone: %s at %s, which fired then, was never reached", f.Kind, f.At)
		}
	}
	if err == nil && report.Again() == 0 {
		p.notReproduced(r.Verdict, rec.Build.Race)
	}
	switch {
	case err != nil:
		return command.Failed(err)
	case p.Err != nil:
		return command.Failed(p.Err)
	}
	return &command.ExitError{Code: command.ExitConvicted}
}
