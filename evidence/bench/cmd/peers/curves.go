package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/curves"
	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newCurves() *cobra.Command {
	var (
		out  command.Output
		plan curves.Plan
		only []string
	)
	name := func(c curves.Curve) string { return c.Name }
	c := &cobra.Command{
		Use:   "curves",
		Short: "What a job and a join cost as they, workers, or the depth grow, and where there are cliffs",
		Args:  command.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			chosen, err := command.Choose("--only", only, curves.All(), name)
			if err != nil {
				return err
			}
			if plan.Rounds < 1 {
				return fmt.Errorf("--rounds %d: want 1 at least", plan.Rounds)
			}
			if plan.Longest <= 0 {
				return fmt.Errorf("--longest %v: want more than 0s", plan.Longest)
			}
			if err := out.Prepare(); err != nil {
				return err
			}
			return command.Trouble(drawCurves(c, plan, chosen, &out))
		},
	}
	c.Flags().StringSliceVar(&only, "only", nil, "curves: "+strings.Join(command.Names(curves.All(), name), ", ")+" (default all)")
	c.Flags().IntVar(&plan.Rounds, "rounds", 5, "rounds, in which lines take turns at each point")
	c.Flags().DurationVar(&plan.Longest, "longest", 2*time.Second, "leave out points that would take longer")
	out.Flags(c)
	return c
}

func drawCurves(c *cobra.Command, plan curves.Plan, chosen []curves.Curve, out *command.Output) error {
	machine := measure.Machine()
	tables := fmt.Sprintf("# Cost as the work grows\n\n%s.\n", machine)
	var records []any
	for _, curve := range chosen {
		fmt.Fprintln(c.ErrOrStderr(), "peers: curve,", curve.Name)
		result, err := plan.Run(c.Context(), curve)
		if err != nil {
			return err
		}
		var picture bytes.Buffer
		if err := result.WriteSVG(&picture); err != nil {
			return err
		}
		out.Add(curve.Picture(), picture.Bytes())
		tables += "\n" + result.Markdown()
		records = append(records, result.Records(machine)...)
	}
	return out.Finish(c.OutOrStdout(), []command.Part{{Name: "curves", Tables: tables, Records: records}})
}
