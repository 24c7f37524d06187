package main

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/bursts"
	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/spf13/cobra"
)

func newBurst() *cobra.Command {
	var (
		out     command.Output
		plan    bursts.Plan
		senders []string
	)
	c := &cobra.Command{
		Use:   "burst",
		Short: "How long a message of a burst is under way: package burst, a channel, a sync.Cond",
		Long: `How long a message is under way, from the beginning of its burst to its receiver,
which is then busy for 1 ms: package burst, compared with a buffered channel and a queue with
a sync.Cond, for several numbers of receivers and messages. Then each sentence of
burst-pool's README about its figures, and whether it is true of these.`,
		Args: command.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case plan.Bursts < 2:
				return fmt.Errorf("--iterations %d: want 2 at least", plan.Bursts)
			case plan.Rounds < 1 || plan.Rounds > plan.Bursts:
				return fmt.Errorf("--rounds %d: want 1 at least, and no more than --iterations", plan.Rounds)
			case plan.Pause < bursts.MinPause:
				return fmt.Errorf("--pause %v: want %v at least, or receivers are busy with the burst before", plan.Pause, bursts.MinPause)
			}
			modes := []string{string(bursts.Blocks), string(bursts.Computes)}
			for _, s := range senders {
				if !slices.Contains(modes, s) {
					return fmt.Errorf("--sender %s: there is none; %s", nearest.Clip(s), nearest.Hint(s, modes))
				}
			}
			if err := out.Prepare(); err != nil {
				return err
			}
			return command.Trouble(burstTables(c, plan, senders, &out))
		},
	}
	c.Flags().IntVar(&plan.Bursts, "iterations", 1000, "bursts of each contestant, of each size")
	c.Flags().IntVar(&plan.Rounds, "rounds", 5, "rounds that they are spread over, in which contestants and sizes take turns")
	c.Flags().DurationVar(&plan.Pause, "pause", 5*time.Millisecond, "pause between bursts; the seed's is 200ms, and takes two hours")
	c.Flags().StringSliceVar(&senders, "sender", []string{string(bursts.Blocks), string(bursts.Computes)}, "what the sender does after a burst: blocks, computes (for 300us), or both")
	out.Flags(c)
	return c
}

func burstTables(c *cobra.Command, plan bursts.Plan, senders []string, out *command.Output) error {
	var all []*bursts.Result
	for _, sender := range senders {
		plan.Mode = bursts.Mode(sender)
		fmt.Fprintln(c.ErrOrStderr(), "seeds: burst, sender", sender)
		results, err := plan.Run(c.Context(), bursts.Specs(), bursts.Supported(bursts.Contestants()))
		if err != nil {
			return err
		}
		var picture bytes.Buffer
		if err := bursts.WriteSVG(&picture, results); err != nil {
			return err
		}
		out.Add("burst-"+sender+".svg", picture.Bytes())
		all = append(all, results...)
	}
	claims := bursts.Claims(all)
	machine := measure.Machine()
	tables := fmt.Sprintf("%s. %d bursts each, in %d rounds, %v between bursts. Latencies in ns; the ratio is that of the rounds' medians to the first row's.\n\n%s\n%s",
		machine, plan.Bursts, plan.Rounds, plan.Pause, bursts.Markdown(all), bursts.ClaimsMarkdown(claims))
	return out.Finish(c.OutOrStdout(), []command.Part{{Name: "burst", Tables: tables, Records: bursts.Records(machine, all, claims)}})
}
