package report

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// A Document is an Observer that writes a report in one piece when the run has ended.
type Document struct {
	Out    io.Writer
	Format Format
	Page   Page

	err error
}

// A Format writes a report on a run. The formats are JUnit, Markdown, HTML and Annotations.
type Format func(Result, Page) []byte

// Observe writes the document if the run has ended.
func (d *Document) Observe(e Event) {
	r, ended := e.(Result)
	if !ended {
		return
	}
	if text := d.Format(r, d.Page); len(text) > 0 {
		_, d.err = d.Out.Write(text)
	}
}

// Err returns the write error.
func (d *Document) Err() error { return d.err }

// A Page holds the location of a document, and what it refers to.
type Page struct {
	// Dir is the folder of the report, to which the links to recordings are relative. If Dir is
	// empty, there are no links.
	Dir string
	// Command holds the words that start the program.
	Command []string
	// Scenarios is the file of the scenarios, at whose lines annotations point. "" if there is none.
	Scenarios string
}

// link returns the URL of a file relative to the page, or "" if there is none.
func (p *Page) link(path string) string {
	if p.Dir == "" || path == "" {
		return ""
	}
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		return ""
	}
	if path, err = filepath.Abs(path); err != nil {
		return ""
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return ""
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	if strings.Contains(parts[0], ":") { // it would be a scheme
		parts[0] = "./" + parts[0]
	}
	return strings.Join(parts, "/")
}
