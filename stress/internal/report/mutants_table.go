package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A mutantRow counts the mutants of an operator, of a package, or in total.
type mutantRow struct {
	name string
	all  int
	with map[MutantStatus]int
	by   []int // killed in each way
}

// score returns the share of the counting mutants that were killed.
func (w *mutantRow) score() float64 {
	if w.counting() == 0 {
		return 1
	}
	return float64(w.with[MutantKilled]) / float64(w.counting())
}

// counting returns the number of mutants that were not dropped and could be tested.
func (w *mutantRow) counting() int { return w.all - w.dropped() - w.with[MutantError] }

func (w *mutantRow) dropped() int { return w.with[MutantEquivalent] + w.with[MutantInvalid] }

func (w *mutantRow) add(m *MutantReport, ways []string) {
	w.all++
	w.with[m.Status]++
	for i, way := range ways {
		if t := m.By(way); t != nil && t.Outcome.Kills() {
			w.by[i]++
		}
	}
}

// rows counts the mutants by name, in the order of the names.
func (r *MutationReport) rows(name func(*MutantReport) string) (rows []*mutantRow) {
	for i := range r.Mutants {
		m := &r.Mutants[i]
		at := slices.IndexFunc(rows, func(w *mutantRow) bool { return w.name == name(m) })
		if at < 0 {
			at = len(rows)
			rows = append(rows, r.row(name(m)))
		}
		rows[at].add(m, r.Mutation.Ways)
	}
	slices.SortStableFunc(rows, func(a, b *mutantRow) int { return strings.Compare(a.name, b.name) })
	return rows
}

// row returns a row without mutants.
func (r *MutationReport) row(name string) *mutantRow {
	return &mutantRow{name: name, with: map[MutantStatus]int{}, by: make([]int, len(r.Mutation.Ways))}
}

func (r *MutationReport) total() *mutantRow {
	all := r.row("all")
	for i := range r.Mutants {
		all.add(&r.Mutants[i], r.Mutation.Ways)
	}
	return all
}

// table returns the result by operator, with a row for all, and by package: tables of a head and rows of as many
// cells. They have a column of untested mutants if there are any.
func (r *MutationReport) table() (tables [][][]string) {
	untested := r.Count(MutantUntested) > 0
	of := func(what string, rows []*mutantRow) {
		head := append(append([]string{what, "mutants", "dropped", "killed"}, r.byWays()...), "survived", "uncovered")
		if untested {
			head = append(head, "untested")
		}
		table := [][]string{append(head, "score")}
		for _, w := range rows {
			table = append(table, w.cells(untested))
		}
		tables = append(tables, table)
	}
	of("operator", append(r.rows(func(m *MutantReport) string { return m.Operator }), r.total()))
	if packages := r.rows(func(m *MutantReport) string { return m.Package }); len(packages) > 1 {
		of("package", packages)
	}
	return tables
}

func (r *MutationReport) byWays() (all []string) {
	for _, way := range r.Mutation.Ways {
		all = append(all, "by "+way)
	}
	return all
}

func (w *mutantRow) cells(untested bool) []string {
	cells := []string{w.name, strconv.Itoa(w.all), strconv.Itoa(w.dropped()), strconv.Itoa(w.with[MutantKilled])}
	for _, n := range w.by {
		cells = append(cells, strconv.Itoa(n))
	}
	score := "-"
	if w.counting() > 0 {
		score = percent(w.score())
	}
	cells = append(cells, strconv.Itoa(w.with[MutantSurvived]), strconv.Itoa(w.with[MutantUncovered]))
	if untested {
		cells = append(cells, strconv.Itoa(w.with[MutantUntested]))
	}
	return append(cells, score)
}

// remarks returns results that the tables do not show: the mutants that only one way has killed, and the survivors for
// which a way has not run everything planned.
func (r *MutationReport) remarks() (all []string) {
	add := func(what string, is func(*MutantReport, *Trial) bool) {
		var parts []string
		for _, way := range r.Mutation.Ways {
			n := count(r.Mutants, func(m *MutantReport) bool {
				t := m.By(way)
				return t != nil && is(m, t)
			})
			if n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", way, n))
			}
		}
		if len(parts) > 0 {
			all = append(all, what+": "+strings.Join(parts, ", "))
		}
	}
	if len(r.Mutation.Ways) > 1 {
		add("killed by one way only", func(m *MutantReport, t *Trial) bool {
			return t.Outcome.Kills() && !slices.ContainsFunc(m.Trials, func(o Trial) bool { return o.Way != t.Way && o.Outcome.Kills() })
		})
	}
	add("survivors of fewer tests or executions than planned", func(m *MutantReport, t *Trial) bool { return m.Survives() && t.Cut() })
	return all
}

// percent formats a share, rounded down, so that 100 % means all.
func percent(share float64) string {
	return fmt.Sprintf("%.1f%%", float64(int(share*1000))/10)
}

// columns formats a table for a terminal, with the first column aligned left and the others right.
func columns(table [][]string) string {
	width := make([]int, len(table[0]))
	for _, row := range table {
		for i, c := range row {
			width[i] = max(width[i], len(c))
		}
	}
	var b strings.Builder
	for _, row := range table {
		fmt.Fprintf(&b, "%-*s", width[0], row[0])
		for i, c := range row[1:] {
			fmt.Fprintf(&b, "  %*s", width[i+1], c)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (r *MutationReport) headline() string {
	all := r.total()
	parts := []string{prose.Plural(len(r.Mutants), "mutant")}
	for _, s := range []MutantStatus{MutantKilled, MutantSurvived, MutantUncovered, MutantUntested, MutantEquivalent, MutantInvalid} {
		if n := all.with[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if n := all.with[MutantError]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d that could not be tested", n))
	}
	if n := r.Broken(); n > 0 {
		parts = append(parts, prose.Plural(n, "package")+" that cannot be tested")
	}
	score := ""
	if all.counting() > 0 {
		score = "; score " + percent(all.score())
	}
	sum := strings.Join(append(parts, took(r.Duration)), ", ") + score
	switch {
	case r.Interrupted:
		return "interrupted: " + sum
	case r.Trouble != "":
		return "the tool has failed: " + sum
	case r.Failed():
		return fmt.Sprintf("FAIL: %s, want %s at least", sum, percent(r.Wanted))
	case r.Broken() > 0:
		return "FAIL: " + sum
	}
	return "ok: " + sum
}
