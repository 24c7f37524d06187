package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/foreign"
	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/evidence/bench/rows"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/private"
	"github.com/spf13/cobra"
)

// A tableRun holds the flags of the command.
type tableRun struct {
	out     command.Output
	rounds  int
	quick   bool
	only    []string
	without []string
	into    string
	build   string
	keep    bool
}

func newTable() *cobra.Command {
	var r tableRun
	var names []string
	for _, row := range nothing().All() {
		names = append(names, row.Name)
	}
	c := &cobra.Command{
		Use:   "table",
		Short: "What forking, waking and doing nothing costs, compared with peers, and whether rouse keeps to its bounds",
		Long: `What forking, waking and doing nothing costs in rouse, rayon, TBB and Go's pools, in
turns, and whether rouse keeps to its bounds. Ratios are formed within one round.

Rows: ` + strings.Join(names, ", ") + `.
--only takes them, or the part before the stroke for all of a kind.`,
		Args: command.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return r.run(c) },
	}
	c.Flags().StringSliceVar(&r.only, "only", nil, "rows, by name (default all)")
	c.Flags().IntVar(&r.rounds, "rounds", 7, "rounds, in which contestants take turns")
	c.Flags().BoolVar(&r.quick, "quick", false, "smaller sizes, and 3 rounds if --rounds does not say otherwise: for a first look")
	c.Flags().StringSliceVar(&r.without, "without", nil, "foreign contestants to leave out: "+strings.Join(foreigners, ", "))
	c.Flags().StringVar(&r.into, "into", "", "Markdown file that the table of verdicts is put into, between the lines that mark its place")
	c.Flags().StringVar(&r.build, "build", "", "folder that foreign contestants are built in and stay in, for the next time; a temporary one if not given")
	c.Flags().BoolVar(&r.keep, "keep", false, "keep what is in the folder of --out of rows that are not measured now, from the same machine")
	r.out.Flags(c)
	return c
}

// nothing returns a setup for listing rows, not for running them.
func nothing() *rows.Setup { return &rows.Setup{Sizes: rows.Tiny()} }

// foreigners are the contestants that have to be built.
var foreigners = []string{"rayon", "tbb"}

func (r *tableRun) run(c *cobra.Command) error {
	sizes := rows.Full()
	if r.quick {
		sizes = rows.Quick()
		if !c.Flags().Changed("rounds") {
			r.rounds = 3
		}
	}
	if r.rounds < 1 {
		return fmt.Errorf("--rounds %d: want 1 at least", r.rounds)
	}
	for _, name := range r.without {
		if !slices.Contains(foreigners, name) {
			return fmt.Errorf("--without %s: there is none; %s", nearest.Clip(name), nearest.Hint(name, foreigners))
		}
	}
	if _, err := choose(r.only, nothing().All()); err != nil {
		return err
	}
	if r.keep && r.out.Folder == "" {
		return fmt.Errorf("--keep: want --out, the folder to keep them in")
	}
	if err := r.out.Prepare(); err != nil {
		return err
	}
	document, err := openDocument(r.into)
	if err != nil {
		return fmt.Errorf("--into: %w", err)
	}
	return command.Trouble(r.measure(c, sizes, document))
}

// choose returns the rows whose name or kind is one of names, or all without names.
func choose(names []string, all []peers.Row) (chosen []peers.Row, err error) {
	if len(names) == 0 {
		return all, nil
	}
	kind := func(row peers.Row) string {
		before, _, _ := strings.Cut(row.Name, "/")
		return before
	}
	have := command.Names(all, func(row peers.Row) string { return row.Name })
	for _, name := range names {
		if !slices.ContainsFunc(all, func(row peers.Row) bool { return row.Name == name || kind(row) == name }) {
			return nil, fmt.Errorf("--only %s: there is none; %s", nearest.Clip(name), nearest.Hint(name, have))
		}
	}
	for _, row := range all {
		if slices.Contains(names, row.Name) || slices.Contains(names, kind(row)) {
			chosen = append(chosen, row)
		}
	}
	return chosen, nil
}

func (r *tableRun) measure(c *cobra.Command, sizes rows.Sizes, document *document) error {
	folder := r.build
	if folder == "" {
		temporary, remove, err := private.Temporary("peers")
		if err != nil {
			return err
		}
		defer remove() //nolint:errcheck // the next run tries again
		folder = temporary
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	quota := rows.OpenQuota()
	defer quota.Close() //nolint:errcheck // an empty group does no harm
	setup := &rows.Setup{Sizes: sizes, Quota: quota, Self: rows.Foreign{Program: foreign.New("child", self, childCommand)}}
	for _, f := range []struct {
		name  string
		to    *rows.Foreign
		build func(context.Context, string) (*foreign.Program, error)
	}{{"rayon", &setup.Rayon, foreign.Rayon}, {"tbb", &setup.TBB, foreign.TBB}} {
		if slices.Contains(r.without, f.name) {
			f.to.Missing = "left out (--without)"
			continue
		}
		fmt.Fprintln(c.ErrOrStderr(), "peers: building", f.name)
		program, err := f.build(c.Context(), folder)
		if c.Context().Err() != nil {
			return context.Cause(c.Context())
		}
		if err != nil {
			fmt.Fprintf(c.ErrOrStderr(), "peers: without %s: %v\n", f.name, err)
			f.to.Missing = err.Error()
			continue
		}
		defer program.Close()
		f.to.Program = program
	}
	chosen, err := choose(r.only, setup.All())
	if err != nil {
		return err
	}
	kept, err := r.load(setup.All())
	if err != nil {
		return err
	}
	results, err := r.turns(c, chosen, setup)
	if err != nil {
		return err
	}
	results = merge(setup.All(), results, kept)
	return r.write(c, results, contestants(setup), document)
}

// contestants lists the versions of the contestants.
func contestants(setup *rows.Setup) string {
	all := gopools.Versions()
	for _, f := range []rows.Foreign{setup.Rayon, setup.TBB} {
		if f.Program != nil {
			all = append(all, f.Program.Version)
		}
	}
	if all == nil {
		return ""
	}
	return " Contestants: " + strings.Join(all, ", ") + "."
}

// turns runs the rows, one after the other.
func (r *tableRun) turns(c *cobra.Command, chosen []peers.Row, setup *rows.Setup) (results []*peers.Result, err error) {
	for i, row := range chosen {
		start, others := time.Now(), measure.WatchOthers(setup.Processes)
		result, err := row.Run(c.Context(), r.rounds)
		if err != nil {
			return nil, err
		}
		result.Others = others.Share()
		fmt.Fprintf(c.ErrOrStderr(), "peers: %d of %d, %s, took %.1f s; others took %.0f %% of the machine\n", i+1, len(chosen), row.Name, time.Since(start).Seconds(), 100*max(0, result.Others))
		for _, failed := range result.Failed() {
			fmt.Fprintln(c.ErrOrStderr(), "peers: failed:", failed)
		}
		results = append(results, result)
	}
	return results, nil
}

// write writes the measurements. Failed contestants are an error after everything is written.
func (r *tableRun) write(c *cobra.Command, results []*peers.Result, contestants string, document *document) error {
	machine := measure.Machine()
	verdicts := fmt.Sprintf("%s. Medians of %s; ratios are formed within a round, and in brackets is where the middle half of them lies. *Others* is the share of the machine that other programs took meanwhile.%s\n\n%s",
		machine, rounds(results), contestants, peers.Verdicts(results))
	var tables, turns strings.Builder
	var records []any
	var failed []string
	tables.WriteString("# rouse and its peers\n\n" + verdicts)
	for _, result := range results {
		fmt.Fprintf(&tables, "\n%s", result.Markdown())
		records = append(records, result.Records(machine)...)
		turns.WriteString(result.Benchstat())
		failed = append(failed, result.Failed()...)
	}
	r.out.Add("peers.txt", []byte(turns.String()))
	if err := r.out.Finish(c.OutOrStdout(), []command.Part{{Name: "peers", Tables: tables.String(), Records: records}}); err != nil {
		return err
	}
	if err := document.put(verdicts); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("%d contestants failed, the first of them %s", len(failed), failed[0])
	}
	return nil
}
