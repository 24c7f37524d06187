// Command pages measures the pages of five failures, and of one of 10,004 steps, in headless Chromium, and prints
// the table of docs/failure-page.md:
//
//	go run ./cmd/pages
//	go run ./cmd/pages --picture ../failure-page.png   # and the picture of that page
//
// Exit code: 0; 2 for an unknown flag; 3 if there is no Chromium, or if something else fails.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/evidence/bench/pages"
	"github.com/rouse-go/rouse/internal/command"
)

func main() {
	var picture string
	root := command.NewRoot("pages", "Sizes and times of the pages of failures")
	root.Args = cobra.NoArgs
	root.Flags().StringVar(&picture, "picture", "", "`file` for a picture of the page of a lost wakeup, which is replaced")
	root.RunE = func(c *cobra.Command, _ []string) error { return measure(c.Context(), c.OutOrStdout(), picture) }
	command.Main(root)
}

// longest is the number of steps of the long page.
const longest = 10_004

func measure(ctx context.Context, out io.Writer, picture string) error {
	b, err := pages.Start(ctx)
	if err != nil {
		return command.Trouble(err)
	}
	defer b.Close()
	dir, err := os.MkdirTemp("", "pages")
	if err != nil {
		return command.Trouble(err)
	}
	defer os.RemoveAll(dir)
	files, err := pages.Failures(ctx, dir, "../..")
	if err != nil {
		return command.Trouble(err)
	}
	long, err := pages.Write(dir, "made up.html", pages.Long(longest))
	if err != nil {
		return command.Trouble(err)
	}
	fmt.Fprintln(out, pages.Head) //nolint:errcheck // the rows follow
	for _, file := range append(files, long) {
		f, err := pages.Measure(b, pages.NameOf(file), file)
		if err != nil {
			return command.Trouble(err)
		}
		if _, err := fmt.Fprintln(out, f.Row()); err != nil {
			return command.Trouble(err)
		}
	}
	for _, file := range files {
		if picture == "" || pages.NameOf(file) != "TestLostWakeup" {
			continue
		}
		if err := draw(b, file, picture); err != nil {
			return command.Trouble(err)
		}
	}
	return nil
}

// draw writes a picture of a page.
func draw(b *pages.Browser, file, picture string) error {
	t, err := b.Open(file, pages.View{})
	if err != nil {
		return err
	}
	defer t.Close()
	png, err := t.Picture(true)
	if err != nil {
		return err
	}
	return os.WriteFile(picture, png, 0o644)
}
