package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/rouse-go/rouse/internal/command"
)

// The lines between which a document keeps the verdicts.
const (
	beginVerdicts = "<!-- peers table -->\n"
	endVerdicts   = "<!-- end of peers table -->\n"
)

// A document is a Markdown file that contains the verdicts. A nil *document means that there is no file.
type document struct {
	path          string
	before, after string
}

// openDocument reads a document before anything is measured. It returns nil if path is "".
func openDocument(path string) (*document, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	before, rest, begins := strings.Cut(string(content), beginVerdicts)
	_, after, ends := strings.Cut(rest, endVerdicts)
	if !begins || !ends {
		return nil, fmt.Errorf("%s: want the lines %q and %q", path, strings.TrimSpace(beginVerdicts), strings.TrimSpace(endVerdicts))
	}
	return &document{path, before, after}, nil
}

// put replaces the verdicts by others.
func (d *document) put(verdicts string) error {
	if d == nil {
		return nil
	}
	return command.Replace(d.path, []byte(d.before+beginVerdicts+"\n"+verdicts+"\n"+endVerdicts+d.after))
}
