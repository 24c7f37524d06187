package report

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/plain"
)

// style is the style of all reports; reports with charts add another.
//
//go:embed report.css
var style string

// HTML writes a campaign, or a run of tests, for people as one self-contained page. There is none of mutants.
func HTML(r Result, p Page) []byte { return r.(interface{ html(Page) []byte }).html(p) }

// htmlHead is what all pages have.
type htmlHead struct {
	Headline string
	Style    template.CSS
	Facts    [][2]string
	Failed   bool
	Meaning  string // of the evidence of passes
}

func newHTMLHead(r Result, style string, facts [][2]string, failed bool) htmlHead {
	return htmlHead{r.headline(), template.CSS(style), facts, failed, evidence.Meaning} //nolint:gosec // it is this module's
}

type htmlFile struct{ Path, Link string }

// files returns files with their links.
func (p *Page) files(paths []string) (all []htmlFile) {
	for _, path := range paths {
		all = append(all, htmlFile{path, p.link(path)})
	}
	return all
}

// executed returns the page of a template.
func executed(t *template.Template, page any) []byte {
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		panic(err) // the template uses only fields that exist
	}
	return []byte(plain.Hidden(b.String()))
}
