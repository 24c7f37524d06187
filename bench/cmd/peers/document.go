package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/rouse-go/rouse/bench/internal/command"
)

// The lines between which a document keeps the tables.
const (
	beginTables = "<!-- peers table -->\n"
	endTables   = "<!-- end of peers table -->\n"
)

// A document is a Markdown file that has the tables in its midst. A nil one is none.
type document struct {
	path          string
	before, after string
}

// openDocument reads a document before anything is measured; none if path is "".
func openDocument(path string) (*document, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	before, rest, begins := strings.Cut(string(content), beginTables)
	_, after, ends := strings.Cut(rest, endTables)
	if !begins || !ends {
		return nil, fmt.Errorf("%s: want the lines %q and %q", path, strings.TrimSpace(beginTables), strings.TrimSpace(endTables))
	}
	return &document{path, before, after}, nil
}

// put replaces the tables by others.
func (d *document) put(tables string) error {
	if d == nil {
		return nil
	}
	return command.Replace(d.path, []byte(d.before+beginTables+"\n"+tables+"\n"+endTables+d.after))
}
