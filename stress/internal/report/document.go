package report

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// A Document is an Observer that writes a report in one piece when the campaign has ended.
type Document struct {
	Out    io.Writer
	Format func(Campaign, Report) []byte

	campaign Campaign
	err      error
}

// Began keeps the description of the campaign.
func (d *Document) Began(c Campaign) { d.campaign = c }

// Progressed writes nothing.
func (d *Document) Progressed(Progress) {}

// ScenarioDone writes nothing.
func (d *Document) ScenarioDone(ScenarioReport) {}

// Ended writes the document.
func (d *Document) Ended(r Report) { _, d.err = d.Out.Write(d.Format(d.campaign, r)) }

// Err returns the write error.
func (d *Document) Err() error { return d.err }

// A Page holds the location of a report for people, and the program that made it.
type Page struct {
	// Dir is the folder of the report, to which the links to recordings are relative. If Dir is
	// empty, there are no links.
	Dir string
	// Command holds the words that start the program.
	Command []string
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
