package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/outcome"
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
	b.drawn(f)
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

// drawn writes the plots.
func (b *markdown) drawn(f *figures) {
	if at, rate := f.rates(); len(at) > 0 {
		_, unit := timeUnit(f.Duration)
		var rows []row
		for _, i := range picks(len(at)) {
			rows = append(rows, row{fmt.Sprintf("%.1f", at[i]), short(rate[i]), rate[i]})
		}
		b.plot("Executions a second", "After so many "+unit+".", rows)
	}
	for _, l := range []struct {
		what string
		*outcome.Latencies
	}{{"native", &f.native}, {"controlled", &f.controlled}} {
		var rows []row
		for _, bin := range binsOf(l.Latencies) {
			rows = append(rows, row{fmt.Sprintf("from %v", bin.From), evidence.Thousands(uint64(bin.N)), float64(bin.N)})
		}
		if len(rows) > 0 {
			b.plot("How long "+l.what+" executions took", quantiles(l.Latencies)+".", rows)
		}
	}
	if at, held, _ := f.memory(); len(at) > 0 {
		_, unit := timeUnit(f.Duration)
		var rows []row
		for _, i := range picks(len(at)) {
			rows = append(rows, row{fmt.Sprintf("%.1f", at[i]), fmt.Sprintf("%.1f MiB", held[i]), held[i]})
		}
		b.plot("Memory of the campaign's process", "After so many "+unit+": "+f.memorySpan()+". The processes that run executions are not in it.", rows)
	}
	var rows []row
	for _, n := range f.faults {
		rows = append(rows, row{n.Kind + " at " + n.At, evidence.Thousands(n.Fires) + " of " + evidence.Thousands(n.Hits), float64(n.Fires)})
	}
	if len(rows) > 0 {
		b.plot("Faults that fired, by point", "How often each fired, of how often it could, over all scenarios.", rows)
	}
}

// picks returns at most twenty of the numbers below n, evenly spread, including the last.
func picks(n int) (picked []int) {
	const most = 20
	for i := range min(n, most) {
		picked = append(picked, (i+1)*n/min(n, most)-1)
	}
	return picked
}

type row struct {
	name, value string
	x           float64
}

// plot draws a bar for each row.
func (b *markdown) plot(title, about string, rows []row) {
	const full = 40
	widest, most, values := 0, 0.0, 0
	for _, r := range rows {
		widest, most, values = max(widest, len(r.name)), max(most, r.x), max(values, len(r.value))
	}
	b.line("\n## %s\n\n%s\n", title, about)
	var lines []string
	for _, r := range rows {
		long := 0
		if most > 0 && r.x > 0 {
			long = max(1, int(r.x/most*full))
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-*s  %*s  %s", widest, r.name, values, r.value, strings.Repeat("█", long)), " "))
	}
	b.fenced(strings.Join(lines, "\n"))
}
