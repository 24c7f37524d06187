package report

import "strings"

// markdown writes the result of a run, the tables, and the survivors with their changes.
func (r *MutationReport) markdown(b *markdown, _ Page) {
	b.line("# stress mutate: %s", escaped(r.headline()))
	for i := range r.Packages {
		b.untested(&r.Packages[i])
	}
	if len(r.Mutants) > 0 {
		for _, table := range r.table() {
			b.line("")
			b.line("| %s |", strings.Join(table[0], " | "))
			b.line("|---%s|", strings.Repeat("|---:", len(table[0])-1))
			for _, row := range table[1:] {
				b.line("| %s |", strings.Join(row, " | "))
			}
		}
	}
	for _, more := range r.remarks() {
		b.line("\n%s.", more)
	}
	head := false
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if !m.Survives() {
			continue
		}
		if !head {
			b.line("\n## Survivors")
			head = true
		}
		b.line("\n### %s\n", escaped(m.Title()))
		b.line("%s: %s.\n", m.Status, escaped(m.ranOver()))
		for _, t := range m.Trials {
			if t.Cut() {
				b.line("By %s it survived %s.\n", t.Way, escaped(t.share()))
			}
		}
		b.fencedAs("diff", strings.TrimRight(m.Diff, "\n"))
	}
}
