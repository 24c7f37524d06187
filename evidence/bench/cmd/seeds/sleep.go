package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/rayondemo"
	"github.com/rouse-go/rouse/evidence/bench/sleeps"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newSleep() *cobra.Command {
	var (
		out                    command.Output
		plan                   sleeps.Plan
		comparisons, workloads []string
	)
	c := &cobra.Command{
		Use:   "sleep",
		Short: "What ways to sleep cost rayon-demo's workloads, by run time and processor time",
		Args:  command.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			chosen, err := command.Choose("--compare", comparisons, sleeps.Comparisons(), func(c sleeps.Comparison) string { return c.Name })
			if err != nil {
				return err
			}
			demos, err := command.Choose("--workload", workloads, rayondemo.All(), func(d rayondemo.Demo) string { return d.Name })
			if err != nil {
				return err
			}
			for _, f := range []struct {
				name     string
				n, least int
			}{
				{"rounds", plan.Rounds, 1}, {"workers", plan.Workers, 1}, {"noop-workers", plan.TrickleWorkers, 1},
				{"noop-iterations", plan.TrickleJobs, 1}, {"iterations", plan.Iterations, 0},
			} {
				if f.n < f.least {
					return fmt.Errorf("--%s %d: want %d at least", f.name, f.n, f.least)
				}
			}
			if plan.Turn <= 0 {
				return fmt.Errorf("--turn %v: want more than 0s", plan.Turn)
			}
			if err := out.Prepare(); err != nil {
				return err
			}
			return command.Trouble(sleepTables(c, plan, chosen, demos, &out))
		},
	}
	c.Flags().StringSliceVar(&comparisons, "compare", nil, "comparisons: "+strings.Join(command.Names(sleeps.Comparisons(), func(c sleeps.Comparison) string { return c.Name }), ", ")+" (default all)")
	c.Flags().StringSliceVar(&workloads, "workload", nil, "workloads: "+strings.Join(command.Names(rayondemo.All(), func(d rayondemo.Demo) string { return d.Name }), ", ")+" (default all)")
	c.Flags().IntVar(&plan.Rounds, "rounds", 7, "rounds, in which the ways to sleep take turns")
	c.Flags().IntVar(&plan.Iterations, "iterations", 0, "iterations of a turn; 0 for as many as take about as long as --turn")
	c.Flags().DurationVar(&plan.Turn, "turn", 200*time.Millisecond, "about how long a turn is to take")
	c.Flags().IntVar(&plan.Workers, "workers", runtime.GOMAXPROCS(0), "workers of a pool")
	c.Flags().IntVar(&plan.TrickleWorkers, "noop-workers", 8, "workers of the pool that noop runs in")
	c.Flags().IntVar(&plan.TrickleJobs, "noop-iterations", 100, "iterations of a turn of noop, 10ms each")
	out.Flags(c)
	return c
}

func sleepTables(c *cobra.Command, plan sleeps.Plan, comparisons []sleeps.Comparison, demos []rayondemo.Demo, out *command.Output) error {
	machine := measure.Machine()
	var parts []command.Part
	for _, comparison := range comparisons {
		var all []*sleeps.Table
		var records []any
		for _, demo := range demos {
			fmt.Fprintf(c.ErrOrStderr(), "seeds: sleep, %s, %s\n", comparison.Name, demo.Name)
			table, err := plan.Run(c.Context(), comparison, demo)
			if err != nil {
				return err
			}
			all = append(all, table)
			records = append(records, table.Records(machine)...)
		}
		parts = append(parts, command.Part{Name: "sleep-" + comparison.Name, Tables: sleeps.Markdown(machine, all), Records: records})
	}
	return out.Finish(c.OutOrStdout(), parts)
}
