package command

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

func newReplay(m *program) *cobra.Command {
	times, explain, regression := Count(10), false, false
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Run a recorded execution again, and count how often it fails",
		Long: `Run a recorded execution again, and count how often it fails.

A native execution runs in a process of its own each time. The seed determines the workload
and what the plan draws; the interleaving is the machine's, so it need not fail again.

A controlled execution is repeated exactly, by its schedule, in one process. The output counts
the tries that had the recorded verdict and an equal trace hash, and of the others lists the
tasks and places of the recording that are gone.

A recording of stress test is repeated exactly, too, each time in a process of its own. It is
built first, by the go command and in the current folder or that of the recording.

Of a recording that chaos.Explore has written in a Go test it prints the command that repeats
it exactly.

Exit code 1 if it failed again, and also if it did not: a failure that is not reproduced
proves nothing, and the output says what differs. Exit code 2 if this binary cannot reproduce
it: a data race without the race detector.

With --regression it runs once, as the test that stress explain --test writes does it: exit code 0 if it
passes, 1 if it fails, as recorded or in another way. Decisions that no longer apply are left out,
and the output lists them: the code has moved on, and that it passes proves less.`,
		Example: `  stress replay rouse-out/NAME.rouse
  stress replay rouse-out/NAME.min.rouse --times 1 --explain
  stress replay --regression testdata/chaos/TestClose/5be0cd19137e2179.rouse`,
		Annotations:       map[string]string{anyBuild: ""},
		Args:              oneArg("FILE", "a recording"),
		ValidArgsFunction: recordingArg,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case !regression:
			case c.Flags().Changed("times"):
				return Usage("--regression and --times exclude each other, want one of them")
			case explain:
				return Usage("--regression and --explain exclude each other, want one of them")
			default:
				return m.regression(c, args[0])
			}
			return m.replayFile(c, args[0], int(times), explain)
		},
	}
	c.Flags().BoolVar(&explain, "explain", false, "show the execution as stress explain does (controlled scenarios, stress test)")
	c.Flags().BoolVar(&regression, "regression", false, "run it once: exit code 0 if it passes (what has a schedule)")
	c.Flags().Var(&times, "times", "how often to run it")
	return c
}

func (m *program) replayFile(c *cobra.Command, name string, times int, explain bool) error {
	rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	switch {
	case rec.Origin() == recording.OfStressTest:
		return p.repeatTest(c, unmodified(), rec.File, rec.Recording, times, explain)
	case rec.Scenario == nil:
		p.ofATest(rec)
		return p.end()
	case rec.Kind == recording.Native:
		err = p.replayNative(c, rec, times)
	default:
		err = p.replayControlled(c, rec, times, explain)
	}
	switch {
	case err != nil:
		return err
	case p.err != nil:
		return Failed(p.err)
	}
	return &ExitError{Code: ExitFailed}
}

func (p *printer) replayNative(c *cobra.Command, rec *run.Recording, times int) error {
	if rec.Verdict == verdict.DataRace && !outcome.ThisBuild().Race {
		return Usage("%s: it is a data race, and this binary has no race detector; want one that is built with -race", rec.File)
	}
	p.title(rec)
	if here := recording.ThisBuild(); here != rec.Build {
		p.line("recorded by %s", rec.Build)
		p.line("replayed by %s", here)
	}
	if rec.Scenario.Mode == scenario.Native {
		p.line("native replay is not exact: the faults are drawn as they were, the interleaving is the machine's")
	} else {
		p.line("it crashed its process, so it has no schedule: it runs again with what its strategy had learnt")
	}
	n := 0
	report, err := rec.Replay(c.Context(), times, func(t run.Try) {
		if n++; t.Verdict == verdict.Pass {
			p.line("try %d: pass", n)
		} else {
			p.line("try %d: %s: %s", n, t.Verdict, t.Summary)
		}
	})
	if n > 0 {
		p.line("%s", report.String())
		for _, f := range report.Unreached() {
			p.line("gone: %s at %s, which fired then, was never reached", f.Kind, f.At)
		}
	}
	if err != nil {
		return Failed(err)
	}
	p.reproduced(&report)
	return nil
}

func (p *printer) replayControlled(c *cobra.Command, rec *run.Recording, times int, explain bool) error {
	p.title(rec)
	report, err := rec.Replay(c.Context(), times, nil)
	counts := map[string]int{}
	var order []string
	for _, t := range report.Tries {
		likeness, differs := rec.Compare(t.Repetition)
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
		p.line("%s", report.String())
	}
	for _, what := range order {
		p.line("%d %s", counts[what], what)
	}
	if err != nil {
		return Failed(err)
	}
	if explain || len(order) > 0 {
		x, err := rec.Explain(c.Context())
		if err != nil {
			return Failed(err)
		}
		for _, g := range x.Gone {
			p.line("gone: %s", g)
		}
		if len(order) > 0 && len(x.Gone) == 0 {
			p.line("every decision applies, but the trace differs: something else has changed since")
		}
		if explain {
			p.outcome(x.Result)
		}
	}
	p.reproduced(&report)
	return nil
}

// reproduced prints a line if no try has failed as recorded.
func (p *printer) reproduced(r *run.ReplayReport) {
	if r.Reproduced() > 0 {
		return
	}
	why := ""
	if r.Recording.Race() && !outcome.ThisBuild().Race {
		why = "; it was recorded with the race detector, which this binary does not have"
	}
	p.line("not reproduced: no try failed as the recorded %s%s", r.Recording.Verdict, why)
}
