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

// A part is what has been measured about one thing: a file of tables and one of records.
type part struct {
	name    string
	tables  string
	records []any
}

// finish prints the tables or the records of all parts, and puts both into the folder
// under the names of the parts, with the other files.
func (o *output) finish(to io.Writer, parts []part) error {
	for i, p := range parts {
		var lines bytes.Buffer
		encoder := json.NewEncoder(&lines)
		for _, r := range p.records {
			if err := encoder.Encode(r); err != nil {
				return err
			}
		}
		printed := p.tables
		switch {
		case o.json:
			printed = lines.String()
		case i > 0:
			printed = "\n" + printed
		}
		if _, err := io.WriteString(to, printed); err != nil {
			return err
		}
		o.files = append(o.files, file{p.name + ".md", []byte(p.tables)}, file{p.name + ".jsonl", lines.Bytes()})
	}
	if o.folder == "" {
		return nil
	}
	for _, f := range o.files {
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
