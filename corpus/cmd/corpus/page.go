package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/corpus"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newPage() *cobra.Command {
	var from string
	var check bool
	c := &cobra.Command{Use: "page", Short: "Write docs/track-record.md from the tables and the results", Args: command.NoArguments}
	sourceFlag(c, &from)
	c.Flags().BoolVar(&check, "check", false, "write nothing, and fail if the page is not current")
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
		name := filepath.Join(filepath.Dir(root), "docs", "track-record.md")
		if !check {
			return command.Trouble(command.Replace(name, page.Text()))
		}
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(text, page.Text()) {
			return command.Found(fmt.Errorf("docs/track-record.md is not current: go -C corpus run ./cmd/corpus page"))
		}
		return nil
	}
	return c
}
