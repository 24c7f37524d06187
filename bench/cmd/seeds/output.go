package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// An output is what a command leaves.
type output struct {
	json   bool
	folder string
	files  []file
}

type file struct {
	name    string
	content []byte
}

func (o *output) flags(c *cobra.Command) {
	c.Flags().BoolVar(&o.json, "json", false, "print a line of JSON for each row instead of tables")
	c.Flags().StringVar(&o.folder, "out", "", "folder for tables, lines of JSON and pictures; made if there is none")
}

// prepare finds out before anything is measured whether there is a place for it.
func (o *output) prepare() error {
	if o.folder == "" {
		return nil
	}
	if err := os.MkdirAll(o.folder, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	probe, err := os.CreateTemp(o.folder, ".seeds-*")
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// finish prints the tables or the records, and puts both into the folder under the
// name of the command, with the other files.
func (o *output) finish(to io.Writer, name, tables string, records []any) error {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, r := range records {
		if err := encoder.Encode(r); err != nil {
			return err
		}
	}
	printed := tables
	if o.json {
		printed = lines.String()
	}
	if _, err := io.WriteString(to, printed); err != nil {
		return err
	}
	if o.folder == "" {
		return nil
	}
	for _, f := range append(o.files, file{name + ".md", []byte(tables)}, file{name + ".jsonl", lines.Bytes()}) {
		if err := replace(filepath.Join(o.folder, f.name), f.content); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file in one go: nobody finds half of it.
func replace(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".seeds-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // if it has not been renamed
	_, err = f.Write(content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
