// Command mutation makes evidence/mutation-scores.md, which shows how many planted defects are detected in
// some packages:
//
//	stress mutate ./queue --json queue.json
//	go run ./cmd/mutation convert queue queue.json   # evidence/mutation/queue.jsonl
//	go run ./cmd/mutation page                       # evidence/mutation-scores.md
//
// Between the two, write the judgement of each survivor in evidence/mutation/queue.yaml. Package
// bench/mutation documents the files.
//
// Exit code: 0; 1 if survivors have no entry; 2 for an invalid command line; 3 if a file cannot be
// read or written.
package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse/evidence/bench/mutation"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func main() { command.Main(newRoot()) }

func newRoot() *cobra.Command {
	return command.NewRoot("mutation", "How many planted defects are detected", newConvert(), newPage(), newCampaign())
}

// The places of the page and of its data, from the folder of this module.
const (
	defaultData = "../mutation"
	defaultPage = "../mutation-scores.md"
)

// subjectName matches a valid subject name, which names two files.
var subjectName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

func newConvert() *cobra.Command {
	var data string
	var as map[string]string
	c := &cobra.Command{
		Use:   "convert NAME REPORT...",
		Short: "Add reports of stress mutate --json to the data of a subject",
		Long: `Add reports of stress mutate --json to the data of a subject, DATA/NAME.jsonl, which begins empty.

Each way of a report is a column. A way that is run with several budgets or commands has a column for each:
--as names it. Columns are in the order in which they came, and a trial replaces that of the same mutant
and column. To begin anew, remove the file.

Survivors without an entry in NAME.yaml are printed as entries to be filled in.`,
		Example: `  mutation convert pool --as "command=stress run, 30 s" short.json
  mutation convert pool --as "command=stress run, 5 min" long.json
  mutation convert pool tests.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("convert wants a subject and reports: mutation convert queue queue.json")
			}
			if !subjectName.MatchString(args[0]) {
				return fmt.Errorf("found the subject %q, want lower-case letters, digits and hyphens", args[0])
			}
			return nil
		},
	}
	c.Flags().StringVar(&data, "data", defaultData, "`folder` of the data")
	c.Flags().StringToStringVar(&as, "as", nil, "`WAY=NAME`: the name of the column of a way")
	c.RunE = func(c *cobra.Command, args []string) error {
		return convert(c, data, args[0], args[1:], as)
	}
	return c
}

func convert(c *cobra.Command, folder, name string, reports []string, as map[string]string) error {
	file := filepath.Join(folder, name+".jsonl")
	d, err := mutation.ReadData(file)
	if err != nil {
		return command.Trouble(err)
	}
	for _, report := range reports {
		if err := d.Merge(report, as); err != nil {
			return command.Trouble(err)
		}
	}
	if err := d.Write(file); err != nil {
		return command.Trouble(err)
	}
	entries, err := mutation.Missing(filepath.Join(folder, name+".yaml"), &d)
	if err != nil {
		return command.Trouble(err)
	}
	fmt.Fprint(c.OutOrStdout(), entries)
	if n := strings.Count(entries, "kind:"); n > 0 {
		return command.Found(fmt.Errorf("survivors without an entry in %s.yaml: %d", name, n))
	}
	return nil
}

func newPage() *cobra.Command {
	var data, page string
	c := &cobra.Command{Use: "page", Short: "Write the page about all subjects", Args: command.NoArguments}
	c.Flags().StringVar(&data, "data", defaultData, "`folder` of the data")
	c.Flags().StringVar(&page, "into", defaultPage, "`file` to write")
	c.RunE = func(*cobra.Command, []string) error {
		all, err := mutation.ReadSubjects(data)
		if err != nil {
			return command.Trouble(err)
		}
		return command.Trouble(command.Replace(page, mutation.Page(all)))
	}
	return c
}
