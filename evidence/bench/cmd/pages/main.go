// Command pages measures the pages of five failures, and of one of 10,004 steps, in headless Chromium, and prints
// the table of docs/failure-page.md:
//
//	go run ./cmd/pages
//	go run ./cmd/pages --pictures ../../docs/failure-page   # and the pictures of that page
//
// Exit code: 0; 2 for a flag that there is not; 3 if there is no Chromium, or if something else fails. The printed
// page needs pdftoppm.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/evidence/bench/pages"
	"github.com/rouse-go/rouse/internal/command"
)

func main() {
	var pictures string
	root := command.NewRoot("pages", "Sizes and times of the pages of failures")
	root.Args = cobra.NoArgs
	root.Flags().StringVar(&pictures, "pictures", "", "`folder` for pictures, which are replaced")
	root.RunE = func(c *cobra.Command, _ []string) error { return measure(c.Context(), c.OutOrStdout(), pictures) }
	command.Main(root)
}

// longest is how many steps the long page has.
const longest = 10_004

func measure(ctx context.Context, out io.Writer, pictures string) error {
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
	if pictures == "" {
		return nil
	}
	for _, file := range files {
		if err := draw(ctx, b, file, pictures); err != nil {
			return command.Trouble(err)
		}
	}
	return nil
}

// draw writes the pictures of a failure.
func draw(ctx context.Context, b *pages.Browser, file, into string) error {
	views := map[string]map[string]pages.View{
		"TestLostWakeup": {"light": {}, "narrow": {Width: 400, Height: 900}},
		"TestLockOrder":  {"dark": {Dark: true}},
	}[pages.NameOf(file)]
	for name, v := range views {
		t, err := b.Open(file, v)
		if err != nil {
			return err
		}
		defer t.Close()
		png, err := t.Picture(v.Width == 0)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(into, name+".png"), png, 0o644); err != nil {
			return err
		}
		if name != "light" {
			continue
		}
		pdf, err := t.Print()
		if err != nil {
			return err
		}
		printed := file + ".pdf"
		if err := os.WriteFile(printed, pdf, 0o644); err != nil {
			return err
		}
		if text, err := exec.CommandContext(ctx, "pdftoppm", "-png", "-r", "72", "-singlefile", printed, filepath.Join(into, "printed")).CombinedOutput(); err != nil {
			return fmt.Errorf("pdftoppm: %w: %s", err, text)
		}
	}
	return nil
}
