package report

import (
	"strings"

	"github.com/rouse-go/rouse/internal/evidence"
)

// markdown writes the result of a run, and the tests that failed or are uncontrolled.
func (r *SuiteReport) markdown(b *markdown, p Page) {
	b.line("# stress test: %s", escaped(r.headline()))
	for i := range r.Tests {
		t := &r.Tests[i]
		if t.Status == TestFailed || t.Status == TestUncontrolled {
			b.failure(string(t.Status), t.Title(), t.problem(), p.link(t.HTML))
			b.line("")
			b.fenced(strings.Join(t.details(), "\n"))
		}
	}
	meaning := "\n## What the passes show\n\n" + evidence.Meaning + "\n"
	for i := range r.Tests {
		if e := r.Tests[i].Evidence; e != nil && len(e.Found()) > 0 {
			b.line("%s\n- %s: %s", meaning, escaped(r.Tests[i].Title()), escaped(e.String()))
			meaning = ""
		}
	}
	for _, p := range r.Packages {
		b.untested(&p)
		if p.Ended {
			b.line("\n## %s\n\n%s\n", escaped(p.Package), escaped(strings.Join(p.Notes, ", ")))
			b.fenced(p.Output)
		}
	}
}
