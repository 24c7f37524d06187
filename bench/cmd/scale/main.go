// Command scale says on paper what becomes of four ways to sleep on machines that we don't have:
//
//	scale            a simulation of pools of 8 to 4,096 workers, in virtual time
//	scale measure    the costs that it starts from, measured on this machine
//	scale validate   the model beside the pool that ships, at sizes that this machine has
//
// Tables are Markdown on standard output; progress goes to standard error. With --out the
// tables, a line of JSON for each run, and pictures are put into a folder. The same costs
// and seeds give the same figures everywhere.
//
// Exit code: 0; 2 if asked for what there is not; 3 if a simulation, a measurement or a file
// failed; 130 and 143 if it was interrupted, and then nothing has been written.
package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/bench/internal/command"
	"github.com/rouse-go/rouse/bench/measure"
	"github.com/rouse-go/rouse/bench/scale"
	"github.com/spf13/cobra"
)

func main() { command.Main(newRoot()) }

func newRoot() *cobra.Command {
	root := command.NewRoot("scale", "Ways to sleep with up to 4,096 workers, simulated", newMeasure(), newValidate())
	simulate(root)
	return root
}

// simulate makes c the command that simulates.
func simulate(c *cobra.Command) {
	var (
		out            command.Output
		plan           scale.Plan
		ways, loads    []string
		costs          string
		unknownCommand = c.Args
	)
	c.Long = `Simulates pools of 8 to 4,096 workers, each on a core of its own, in virtual time, under
four ways to sleep. What each step takes is an input: scale measure measures it.`
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(c, args)
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if plan.Ways, err = command.Choose("--way", ways, scale.AllWays(), wayName); err != nil {
			return err
		}
		if plan.Workloads, err = command.Choose("--workload", loads, scale.Workloads(), loadName); err != nil {
			return err
		}
		for _, n := range plan.Workers {
			if n < 1 || n > scale.MostWorkers {
				return fmt.Errorf("--workers %d: want 1 to %d", n, scale.MostWorkers)
			}
		}
		slices.Sort(plan.Workers)
		plan.Workers = slices.Compact(plan.Workers)
		for _, f := range []struct {
			name string
			n    int
		}{{"seeds", plan.Seeds}, {"cores", plan.Cores}} {
			if f.n < 1 {
				return fmt.Errorf("--%s %d: want 1 at least", f.name, f.n)
			}
		}
		if plan.Costs, err = readCosts(costs); err != nil {
			return err
		}
		if err := out.Prepare(); err != nil {
			return err
		}
		return command.Trouble(figures(c, plan, &out))
	}
	c.Flags().StringSliceVar(&ways, "way", nil, "ways to sleep: "+strings.Join(command.Names(scale.AllWays(), wayName), ", ")+" (default all)")
	c.Flags().StringSliceVar(&loads, "workload", nil, "workloads: "+strings.Join(command.Names(scale.Workloads(), loadName), ", ")+" (default all)")
	c.Flags().IntSliceVar(&plan.Workers, "workers", scale.Sizes(), "sizes of pools")
	c.Flags().IntVar(&plan.Seeds, "seeds", 3, fmt.Sprintf("runs of each, of which the median is taken; of more than %d workers there is one", scale.ManyWorkers))
	c.Flags().IntVar(&plan.Cores, "cores", runtime.GOMAXPROCS(0), "runs that go on at the same time; the figures don't depend on it")
	costsFlag(c, &costs)
	out.Flags(c)
}

func wayName(w scale.Way) string       { return w.Name }
func loadName(w scale.Workload) string { return w.Name }

func costsFlag(c *cobra.Command, file *string) {
	c.Flags().StringVar(file, "costs", "", "file of costs that scale measure has written (default those that are part of the program)")
}

func readCosts(file string) (scale.Costs, error) {
	if file == "" {
		return scale.DefaultCosts(), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return scale.Costs{}, fmt.Errorf("--costs: %w", err)
	}
	defer f.Close()
	costs, err := scale.ReadCosts(f)
	if err != nil {
		return costs, fmt.Errorf("--costs: %s:%w", file, err)
	}
	return costs, nil
}

func figures(c *cobra.Command, plan scale.Plan, out *command.Output) error {
	results, err := plan.Run(c.Context(), func(r scale.Result) {
		fmt.Fprintf(c.ErrOrStderr(), "scale: %s, %s, %d workers, seed %d\n", r.Workload, r.Way, r.Workers, r.Seed)
	})
	if err != nil {
		return err
	}
	for _, p := range scale.Pictures() {
		var picture bytes.Buffer
		if err := p.WriteSVG(&picture, results); err != nil {
			return err
		}
		out.Add(p.Name+".svg", picture.Bytes())
	}
	var costs bytes.Buffer
	if _, err := plan.Costs.WriteTo(&costs); err != nil {
		return err
	}
	out.Add("costs.json", costs.Bytes())
	tables := fmt.Sprintf("Simulated; costs of %s. Medians of %d runs; of more than %d workers there is one. Times are virtual.\n\n%s",
		plan.Costs.Machine, plan.Seeds, scale.ManyWorkers, scale.Markdown(results))
	return out.Finish(c.OutOrStdout(), []command.Part{{Name: "figures", Tables: tables, Records: scale.Records(results)}})
}

func newMeasure() *cobra.Command {
	return &cobra.Command{
		Use:   "measure",
		Short: "Measure what the steps of a pool take on this machine; prints a file for --costs",
		Args:  command.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			costs, err := scale.Measure(c.Context())
			if err == nil {
				_, err = costs.WriteTo(c.OutOrStdout())
			}
			return command.Trouble(err)
		},
	}
}

func newValidate() *cobra.Command {
	var (
		out     command.Output
		workers []int
		rounds  int
		costs   string
	)
	c := &cobra.Command{
		Use:   "validate",
		Short: "Set the model's wakes and sleeps beside those of the pool that ships",
		Args:  command.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, n := range workers {
				if n < 1 || n > mostReal {
					return fmt.Errorf("--workers %d: want 1 to %d", n, mostReal)
				}
			}
			if rounds < 1 {
				return fmt.Errorf("--rounds %d: want 1 at least", rounds)
			}
			input, err := readCosts(costs)
			if err != nil {
				return err
			}
			if err := out.Prepare(); err != nil {
				return err
			}
			all, err := scale.Validate(c.Context(), input, workers, rounds)
			if err != nil {
				return command.Trouble(err)
			}
			tables := fmt.Sprintf("%s. Of one piece of work, by a pool all of whose workers sleep: medians of %d rounds, of %d runs of the model.\n\n%s",
				measure.Machine(), rounds, rounds, scale.ValidationMarkdown(all))
			return command.Trouble(out.Finish(c.OutOrStdout(), []command.Part{{Name: "validation", Tables: tables, Records: scale.ValidationRecords(measure.Machine(), all)}}))
		},
	}
	c.Flags().IntSliceVar(&workers, "workers", []int{2, 4, 8}, "sizes of pools")
	c.Flags().IntVar(&rounds, "rounds", 5, "rounds, in which the ways take turns")
	costsFlag(c, &costs)
	out.Flags(c)
	return c
}

// mostReal is how many workers a pool that is made for a comparison has at most.
const mostReal = 64
