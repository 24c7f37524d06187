// Command soak runs a hundred million jobs through the pool in the normal build, by all of its
// entries at once, and accounts for each:
//
//	go build -o bin/soak ./cmd/soak && bin/soak --jobs 100000000
//
// Package bench/soak documents the checks, and soak --help the kinds of jobs. --plant
// plants one defect, to see it reported.
//
// Exit code: 0; 1 if a job was lost or run twice, a result was wrong, the run hangs, or something
// leaks; 2 for an invalid command line; 3 if the output failed; 130 and 143 if it was
// interrupted. go run turns each of them into 1.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/soak"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func main() { command.Main(newRoot()) }

// mostWorkers is the maximum number of workers of the main pool.
const mostWorkers = 1024

func newRoot() *cobra.Command {
	root := command.NewRoot("soak", "Many jobs through the pool, each accounted for")
	var (
		kinds    []string
		plant    string
		duration time.Duration
		config   soak.Config
	)
	root.Long = long()
	root.Args = command.NoArguments
	root.RunE = func(c *cobra.Command, _ []string) (err error) {
		if config.Kinds, err = command.Choose("--kind", kinds, soak.Kinds(), kindName); err != nil {
			return err
		}
		if config.Plant, err = choosePlant(plant); err != nil {
			return err
		}
		if err := check(config, duration); err != nil {
			return err
		}
		if config.Seed == 0 {
			config.Seed = rand.Uint64()
		}
		config.Progress = c.ErrOrStderr()
		return execute(c.Context(), config, duration, c.OutOrStdout())
	}
	f := root.Flags()
	f.IntVar(&config.Jobs, "jobs", 100_000_000, "how many jobs")
	f.Uint64Var(&config.Seed, "seed", 0, "which batches follow each other; 0 draws a seed, and prints it")
	f.IntVar(&config.Workers, "workers", runtime.GOMAXPROCS(0), "workers of the main pool")
	f.StringSliceVar(&kinds, "kind", nil, "kinds of jobs (default all)")
	f.DurationVar(&duration, "for", 0, "end after so long, with the jobs that have been run by then (default when all have)")
	f.DurationVar(&config.Every, "every", 5*time.Second, "time between two lines of progress")
	f.DurationVar(&config.Patience, "patience", time.Minute, "a batch none of whose jobs has run for so long hangs")
	f.IntVar(&config.Memory, "memory", 1024, "MiB that may be in use")
	f.StringVar(&plant, "plant", "", "a defect to make: "+strings.Join(plantNames(), ", "))
	return root
}

func long() string {
	var text strings.Builder
	fmt.Fprint(&text, "Runs jobs through the pool, and accounts for each. Kinds, and their share of all jobs:\n\n")
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, k := range soak.Kinds() {
		fmt.Fprintf(t, "  %s\t%g %%\t%s\n", k.Name, k.Share, k.What)
	}
	t.Flush()
	return text.String()
}

func kindName(k *soak.Kind) string { return k.Name }

func plantName(p soak.Plant) string { return string(p) }

func plantNames() []string { return command.Names(soak.Plants(), plantName) }

func choosePlant(name string) (soak.Plant, error) {
	if name == "" {
		return "", nil
	}
	chosen, err := command.Choose("--plant", []string{name}, soak.Plants(), plantName)
	if err != nil {
		return "", err
	}
	return chosen[0], nil
}

func check(c soak.Config, duration time.Duration) error {
	switch {
	case !c.Plant.Fits(c.Kinds):
		return fmt.Errorf("--plant %s: want a kind of joins, such as --kind join-fn", c.Plant)
	case c.Jobs < 1:
		return fmt.Errorf("--jobs %d: want 1 at least", c.Jobs)
	case c.Workers < 1 || c.Workers > mostWorkers:
		return fmt.Errorf("--workers %d: want 1 to %d", c.Workers, mostWorkers)
	case c.Every <= 0:
		return fmt.Errorf("--every %s: want more than 0", c.Every)
	case c.Patience <= 0:
		return fmt.Errorf("--patience %s: want more than 0", c.Patience)
	case c.Memory < 1:
		return fmt.Errorf("--memory %d: want 1 at least", c.Memory)
	case duration < 0:
		return fmt.Errorf("--for %s: want more than 0", duration)
	}
	return nil
}

func execute(ctx context.Context, c soak.Config, duration time.Duration, out io.Writer) error {
	if _, err := fmt.Fprintf(out, "%d jobs, seed %#x, %d workers, %s, %s/%s, %d processors\n",
		c.Jobs, c.Seed, c.Workers, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0)); err != nil {
		return command.Trouble(err)
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if duration > 0 {
		limited, cancel = context.WithTimeout(ctx, duration)
	}
	defer cancel()
	result, err := soak.Run(limited, c)
	err = errors.Join(err, result.Write(out))
	switch {
	case len(result.Defects) > 0: // whether they could be written or not
		return command.Found(errors.Join(fmt.Errorf("%d defects", len(result.Defects)+result.More), err))
	case err != nil:
		return command.Trouble(err)
	}
	return context.Cause(ctx)
}
