package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/scenario"
)

// markdown draws the charts of the HTML report with characters.
func (r *Report) markdown(b *markdown, p Page) {
	f := newFigures(r)
	b.line("# Stress: %s", escaped(r.headline()))
	b.line("")
	b.line("| | |\n|---|---|")
	for _, fact := range f.facts() {
		b.line("| %s | %s |", fact[0], cell(fact[1]))
	}
	b.failures(f, &p)
	b.scenarios(f)
	b.shown(r)
	for _, x := range f.pictures() {
		b.plot(&x)
	}
}

func (b *markdown) failures(f *figures, p *Page) {
	for _, s := range f.failures {
		b.failure("FAIL", s.Title(), s.problem(), p.link(s.HTML))
		var files []string
		for _, path := range s.files() {
			files = append(files, linked(code(path), p.link(path)))
		}
		if len(files) > 0 {
			b.line("\nRecorded in %s", strings.Join(files, ", "))
		}
		b.line("")
		b.fenced(strings.Join(s.details(p.Command), "\n"))
	}
}

func (b *markdown) scenarios(f *figures) {
	b.line("\n## Scenarios\n")
	b.line("| scenario | mode | verdict | executions | a second | median | 99 of 100 | new orders | time |")
	b.line("|---|---|---|---:|---:|---:|---:|---|---:|")
	for i := range f.Scenarios {
		s := &f.Scenarios[i]
		word, verdict := s.status()
		verdict = cell(verdict)
		if word != "ok" {
			verdict = strings.TrimSpace("**" + word + "** " + verdict)
		}
		if !s.Interrupted && s.Verdict != s.Expect {
			verdict += ", expected " + cell(scenario.Alternatives(s.Expect, s.May))
		}
		median, most := "", ""
		if s.Took.Count() > 0 {
			median, most = round(s.Took.Quantile(0.5)).String(), round(s.Took.Quantile(0.99)).String()
		}
		b.line("| %s | %s | %s | %s | %s | %s | %s | %s | %v |", cell(s.Title()), s.Mode, verdict, evidence.Thousands(uint64(s.Executions)),
			short(s.rate()), median, most, s.newOrders(), s.Duration.Round(10*time.Millisecond))
	}
}

// shown writes what the passes prove.
func (b *markdown) shown(r *Report) {
	all := shown(r)
	if len(all) == 0 {
		return
	}
	b.line("\n## What the passes show\n\n%s\n\n| scenario | |\n|---|---|", evidence.Meaning)
	for _, x := range all {
		b.line("| %s | %s |", cell(x[0]), cell(x[1]))
	}
}

// plot draws a bar for each row.
func (b *markdown) plot(p *picture) {
	const full = 40
	widest, most, values := 0, 0.0, 0
	for _, r := range p.rows {
		widest, most, values = max(widest, len(r.name)), max(most, r.x), max(values, len(r.value))
	}
	b.line("\n## %s\n\n%s\n", p.title, p.text)
	var lines []string
	for _, r := range p.rows {
		long := 0
		if most > 0 && r.x > 0 {
			long = max(1, int(r.x/most*full))
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-*s  %*s  %s", widest, r.name, values, r.value, strings.Repeat("█", long)), " "))
	}
	b.fenced(strings.Join(lines, "\n"))
}
