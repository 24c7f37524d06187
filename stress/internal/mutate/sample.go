package mutate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/nearest"
)

// choose drops the mutants that will not be tested: those of other operators and IDs, those of unchanged lines,
// and those that are not in the sample. It sets s.found to their number before the last two steps.
func (s *session) choose(ctx context.Context) error {
	var changed lines
	if s.Since != "" {
		var err error
		if changed, err = changedSince(ctx, s.Since); err != nil {
			return err
		}
	}
	unknown := slices.Clone(s.IDs)
	for _, p := range s.packages {
		for _, m := range p.mutants {
			unknown = slices.DeleteFunc(unknown, func(id string) bool { return id == m.report.ID })
			if len(s.Operators) > 0 && !slices.Contains(s.Operators, m.Operator.Name) || len(s.IDs) > 0 && !slices.Contains(s.IDs, m.report.ID) {
				continue
			}
			s.found++
			if s.Since == "" || m.changed(changed) {
				s.mutants = append(s.mutants, m)
			}
		}
	}
	if len(unknown) > 0 {
		return refused("no mutant has the ID %q; --list lists them", nearest.Clip(unknown[0]))
	}
	s.mutants = sample(s.mutants, s.Sample, s.Seed)
	for _, p := range s.packages {
		p.mutants = slices.DeleteFunc(p.mutants, func(m *mutant) bool { return !slices.Contains(s.mutants, m) })
	}
	return nil
}

// sample returns n of the mutants, in their order, or all if n is 0. Operators take turns, in an order that the
// seed decides: first a mutant of each is drawn, then a second one of each, and so on, so that an operator
// with many mutants does not fill the sample. A larger sample of the same seed includes a smaller one.
// Which mutants of a package are drawn may depend on the other packages.
func sample(all []*mutant, n int, seed uint64) []*mutant {
	if n == 0 || n >= len(all) {
		return all
	}
	hash := func(parts ...string) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, strings.Join(parts, " ")))
		return string(sum[:])
	}
	draw := map[*mutant]string{}
	for _, m := range all {
		draw[m] = hash(m.report.Package, m.report.ID)
	}
	drawn := slices.Clone(all)
	slices.SortFunc(drawn, func(a, b *mutant) int { return strings.Compare(draw[a], draw[b]) })
	turn, turns := map[*mutant]int{}, map[string]int{}
	for _, m := range drawn {
		turn[m] = turns[m.report.Operator]
		turns[m.report.Operator]++
	}
	slices.SortStableFunc(drawn, func(a, b *mutant) int {
		return cmp.Or(cmp.Compare(turn[a], turn[b]), strings.Compare(hash(a.report.Operator), hash(b.report.Operator)))
	})
	drawn = drawn[:n]
	return slices.DeleteFunc(slices.Clone(all), func(m *mutant) bool { return !slices.Contains(drawn, m) })
}
