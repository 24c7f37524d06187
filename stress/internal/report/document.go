package report

import (
	"bytes"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// A Document is an Observer that writes a report in one piece when the campaign has ended. Err
// returns what went wrong with it.
type Document struct {
	Out    io.Writer
	Format func(Campaign, Report) []byte

	campaign Campaign
	err      error
}

// Began keeps what the campaign is.
func (d *Document) Began(c Campaign) { d.campaign = c }

// Progressed writes nothing.
func (d *Document) Progressed(Progress) {}

// ScenarioDone writes nothing.
func (d *Document) ScenarioDone(ScenarioReport) {}

// Ended writes the document.
func (d *Document) Ended(r Report) { _, d.err = d.Out.Write(d.Format(d.campaign, r)) }

// Err returns the error that writing met.
func (d *Document) Err() error { return d.err }

// A Page says where a report for people is to be read, and by which program it was made.
type Page struct {
	// Dir is the folder that it lies in, to which the links to recordings are relative. If it
	// is empty, there are no links.
	Dir string
	// Command is how the program is called, word by word.
	Command []string
}

// link is where a file is for who reads the page; "" if nobody can tell.
func (p *Page) link(path string) string {
	if p.Dir == "" {
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

// files are those that a scenario has left on the disk.
func (s *ScenarioReport) files() []string {
	files := append([]string{s.Recording, s.Shrunk}, s.Beside...)
	return slices.DeleteFunc(files, func(f string) bool { return f == "" })
}

// toReplay is the recording to run again.
func (s *ScenarioReport) toReplay() string {
	if s.Shrunk != "" {
		return s.Shrunk
	}
	return s.Recording
}

// fate is what became of a scenario, in a word, and its verdict.
func (s *ScenarioReport) fate() (word, verdict string) {
	switch {
	case s.Interrupted:
		return "interrupted", ""
	case s.Open:
		return "open", string(s.Verdict)
	case !s.AsExpected:
		return "FAIL", string(s.Verdict)
	}
	return "ok", string(s.Verdict)
}

// headline says in a line what the campaign came to.
func (r *Report) headline() string {
	var b bytes.Buffer
	(&Console{Out: &b}).Ended(*r)
	return strings.TrimRight(b.String(), "\n")
}
