package main

import (
	"fmt"
	"os"
	"path/filepath"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/corpus"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newNewcomers() *cobra.Command {
	var from, folder, out string
	var answers []string
	var record bool
	c := &cobra.Command{
		Use: "newcomers [NUMBER...]", Short: "Make what newcomers read of failures, or compare their answers",
		Long: "Make the page and the lines of twenty failures, by numbers, for readers who have not seen the code; or\n" +
			"compare what they have answered. " + corpus.NewcomersPage + " has the questions.",
	}
	sourceFlag(c, &from)
	f := c.Flags()
	f.StringVar(&out, "out", "", "write NUMBER/page.html and NUMBER/lines.txt to this `folder`")
	f.StringVar(&folder, "work", "", "`folder` for modules and recordings, which stay (default: a temporary one)")
	f.StringArrayVar(&answers, "check", nil, "compare the answers in this `file`; may be repeated, a file for each reader")
	f.BoolVar(&record, "record", false, "with --check: write the table of the results to "+corpus.NewcomersPage)
	c.RunE = func(c *cobra.Command, numbers []string) error {
		root, sets, err := loadAll(from)
		if err != nil {
			return err
		}
		all, err := corpus.ReadFailures(root, sets)
		if err != nil {
			return command.Trouble(err)
		}
		switch {
		case (out == "") == (len(answers) == 0):
			return fmt.Errorf("want either --out or --check")
		case record && out != "":
			return fmt.Errorf("--record is for --check")
		case len(numbers) > 0 && out == "":
			return fmt.Errorf("numbers are for --out")
		case out != "":
			return handOut(c, root, folder, out, all, numbers)
		}
		return check(c, root, all, answers, record)
	}
	return c
}

// handOut writes what newcomers read.
func handOut(c *cobra.Command, root, folder, out string, all []*corpus.Failure, numbers []string) error {
	some, err := corpus.NumberedFailures(all, numbers)
	if err != nil {
		return err
	}
	return with(c.Context(), root, folder, func(w *corpus.Workshop, tool goroot.Tool) error {
		decides := 0
		for _, f := range some {
			dir := filepath.Join(out, fmt.Sprintf("%02d", f.Number))
			explained, err := w.Handout(c.Context(), tool, f, dir)
			if err != nil {
				return command.Trouble(err)
			}
			if f.Decides(explained) {
				decides++
				fmt.Fprintf(c.OutOrStdout(), "%s  names an expected pair\n", dir)
			} else {
				fmt.Fprintf(c.OutOrStdout(), "%s  NAMES NO EXPECTED PAIR: %s\n", dir, corpus.Named(explained))
			}
		}
		fmt.Fprintf(c.OutOrStdout(), "%d of %d name an expected pair\n", decides, len(some))
		return nil
	})
}

// check compares answers, and prints a line for each failure.
func check(c *cobra.Command, root string, all []*corpus.Failure, files []string, record bool) error {
	var readers []corpus.Answers
	for _, name := range files {
		a, err := corpus.ReadAnswers(name, len(all))
		if err != nil {
			return err
		}
		readers = append(readers, a)
	}
	marks := corpus.Compare(all, readers)
	fmt.Fprint(c.OutOrStdout(), marks.Text())
	if !record {
		return nil
	}
	name := filepath.Join(filepath.Dir(root), filepath.FromSlash(corpus.NewcomersPage))
	page, err := os.ReadFile(name)
	if err != nil {
		return command.Trouble(err)
	}
	filled, err := marks.Fill(string(page))
	if err != nil {
		return command.Trouble(err)
	}
	return command.Trouble(command.Replace(name, []byte(filled)))
}
