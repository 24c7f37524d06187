package main

import (
	"fmt"
	"os"
	"path/filepath"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/evidence/corpus"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newStories() *cobra.Command {
	var from, folder string
	var check bool
	c := &cobra.Command{
		Use: "stories", Short: "Run the bugs of " + corpus.StoriesPage + ", and write what is reported into it", Args: command.NoArguments,
	}
	sourceFlag(c, &from)
	c.Flags().StringVar(&folder, "work", "", "`folder` for modules and recordings, which stay (default: a temporary one)")
	c.Flags().BoolVar(&check, "check", false, "write nothing, and fail if something else is reported")
	c.RunE = func(c *cobra.Command, _ []string) error {
		root, sets, err := loadAll(from)
		if err != nil {
			return err
		}
		name := filepath.Join(corpus.Repository(root), filepath.FromSlash(corpus.StoriesPage))
		page, err := os.ReadFile(name)
		if err != nil {
			return command.Trouble(err)
		}
		bugs, err := storyBugs(sets, string(page))
		if err != nil {
			return command.Trouble(err)
		}
		reports := map[string]string{}
		err = with(c.Context(), root, folder, func(w *corpus.Workshop, tool goroot.Tool) error {
			m := corpus.Measurement{Workshop: w, Tool: tool, Budget: corpus.Budget{Seeds: 1, Executions: 1000}}
			m.Done = func(b *corpus.Bug, r *corpus.Result, report string) error {
				fmt.Fprintf(c.OutOrStdout(), "%s  %s\n", b.ID(), r)
				reports[b.ID()] = report
				return nil
			}
			return command.Trouble(m.Run(c.Context(), bugs))
		})
		if err != nil {
			return err
		}
		filled, err := corpus.FillStories(string(page), reports)
		switch {
		case err != nil:
			return command.Found(err)
		case !check:
			return command.Trouble(command.Replace(name, []byte(filled)))
		case filled != string(page):
			return command.Found(fmt.Errorf("%s is not current: go -C evidence/corpus run ./cmd/corpus stories", corpus.StoriesPage))
		}
		return nil
	}
	return c
}

// storyBugs are the bugs whose reports a page shows.
func storyBugs(sets []*corpus.Set, page string) ([]*corpus.Bug, error) {
	stories, err := corpus.Stories(page)
	if err != nil || len(stories) == 0 {
		return nil, err
	}
	var ids []string
	for _, s := range stories {
		ids = append(ids, s.ID)
	}
	return corpus.Select(sets, ids)
}
