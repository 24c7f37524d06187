package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// An Output is the output of a command.
type Output struct {
	JSON   bool
	Folder string
	files  []file
}

type file struct {
	name    string
	content []byte
}

// Flags adds --json and --out to c.
func (o *Output) Flags(c *cobra.Command) {
	c.Flags().BoolVar(&o.JSON, "json", false, "print a line of JSON for each row instead of tables")
	c.Flags().StringVar(&o.Folder, "out", "", "folder for tables, lines of JSON and pictures; made if there is none")
}

// Prepare checks, before anything is measured, that the folder can be written to.
func (o *Output) Prepare() error {
	if o.Folder == "" {
		return nil
	}
	if err := os.MkdirAll(o.Folder, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	probe, err := os.CreateTemp(o.Folder, unfinished)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// Add keeps a file, such as a picture, for the folder.
func (o *Output) Add(name string, content []byte) {
	o.files = append(o.files, file{name, content})
}

// A Part holds the measurements of one thing: a file of tables and one of records.
type Part struct {
	Name    string
	Tables  string
	Records []any
}

// Finish prints the tables or the records of all parts, and puts both into the folder
// under the names of the parts, with the other files.
func (o *Output) Finish(to io.Writer, parts []Part) error {
	for i, p := range parts {
		var lines bytes.Buffer
		encoder := json.NewEncoder(&lines)
		for _, r := range p.Records {
			if err := encoder.Encode(r); err != nil {
				return err
			}
		}
		printed := p.Tables
		switch {
		case o.JSON:
			printed = lines.String()
		case i > 0:
			printed = "\n" + printed
		}
		if _, err := io.WriteString(to, printed); err != nil {
			return err
		}
		o.files = append(o.files, file{p.Name + ".md", []byte(p.Tables)}, file{p.Name + ".jsonl", lines.Bytes()})
	}
	if o.Folder == "" {
		return nil
	}
	for _, f := range o.files {
		if err := Replace(filepath.Join(o.Folder, f.name), f.content); err != nil {
			return err
		}
	}
	return nil
}

// unfinished is the pattern of the names of files that are not complete.
const unfinished = ".measured-*"

// Replace writes a file atomically: no reader finds half of it.
func Replace(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), unfinished)
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
