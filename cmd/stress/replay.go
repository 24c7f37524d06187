package main

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress"
)

func newReplay() *cobra.Command {
	times, told := count(10), false
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

Exit code 1 if any try was convicted, 0 if none was.`,
		Args: oneArg("FILE", "a recording"),
		RunE: func(c *cobra.Command, args []string) error { return replay(c, args[0], int(times), told) },
	}
	c.Flags().BoolVar(&told, "explain", false, "show the execution as stress explain does (controlled scenarios)")
	c.Flags().Var(&times, "times", "how often to run it")
	return c
}

func replay(c *cobra.Command, name string, times int, told bool) error {
	file, schedule, sc, rec, err := read(c, name)
	if err != nil {
		return err
	}
	p := &printer{out: c.OutOrStdout()}
	switch {
	case sc != nil:
		return replaySchedule(c, p, sc, schedule, times, told)
	case schedule != nil:
		p.ofATest(schedule, file)
		return p.end()
	}
	r := &rec.Result
	p.line("%s, execution %d, campaign seed %#x, execution seed %#x", rec.Scenario.Title(), r.Execution, rec.CampaignSeed, r.Seed)
	p.line("recorded as %s: %s", r.Verdict, r.Summary)
	if here := stress.ThisBuild(); here != rec.Build {
		p.line("recorded by %s", rec.Build)
		p.line("replayed by %s", here)
	}
	if rec.Scenario.Mode == stress.Native {
		p.line("native replay is not exact: the faults are drawn as they were, the interleaving is the machine's")
	} else {
		p.line("it took its process with it, schedule and all: it is run again with what its strategy had learnt")
	}
	n := 0
	report, err := stress.Replay(c.Context(), rec, times, func(t stress.Result) {
		if n++; t.Verdict == stress.Pass {
			p.line("try %d: pass", n)
		} else {
			p.line("try %d: %s: %s", n, t.Verdict, t.Summary)
		}
	})
	if len(report.Tries) > 0 {
		p.line("%s", report.String())
	}
	switch {
	case err != nil:
		return failed(err)
	case p.err != nil:
		return failed(p.err)
	case report.Convicted():
		return &exitError{exitConvicted, nil}
	}
	return nil
}

// oneArg wants exactly one argument.
func oneArg(name, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage("%d arguments, want one: stress %s %s, where %s is %s", len(args), c.Name(), name, name, what)
		}
		return nil
	}
}
