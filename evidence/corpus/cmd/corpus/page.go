package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/evidence/corpus"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newPage() *cobra.Command {
	var from string
	var check bool
	c := &cobra.Command{Use: "page", Short: "Write evidence/track-record.md, and the counts in README.md, from the tables and the results", Args: command.NoArguments}
	sourceFlag(c, &from)
	c.Flags().BoolVar(&check, "check", false, "write nothing, and fail if one of the two is not current")
	c.RunE = func(c *cobra.Command, _ []string) error {
		root, sets, err := loadAll(from)
		if err != nil {
			return err
		}
		results, err := corpus.ReadResults(filepath.Join(root, "results"))
		beside, err2 := corpus.ReadComparisons(filepath.Join(root, "results", "beside"))
		if err := errors.Join(err, err2); err != nil {
			return command.Trouble(err)
		}
		page := corpus.Page{Sets: sets, Results: results, Beside: beside}
		repository := corpus.Repository(root)
		readme, err := os.ReadFile(filepath.Join(repository, "README.md"))
		if err != nil {
			return command.Trouble(err)
		}
		if readme, err = page.Readme(readme); err != nil {
			return command.Trouble(err)
		}
		for _, f := range []struct {
			name string
			text []byte
		}{{"evidence/track-record.md", page.Text()}, {"README.md", readme}} {
			name := filepath.Join(repository, filepath.FromSlash(f.name))
			if !check {
				err = errors.Join(err, command.Replace(name, f.text))
			} else if text, e := os.ReadFile(name); e != nil || !bytes.Equal(text, f.text) {
				return command.Found(fmt.Errorf("%s is not current: go -C evidence/corpus run ./cmd/corpus page", f.name))
			}
		}
		return command.Trouble(err)
	}
	return c
}
