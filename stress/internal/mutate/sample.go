package mutate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
)

// choose drops the mutants that are not to be tested: those of other operators, of lines that have not
// changed, and those that are not in the sample. It sets s.found to how many there were before the last two.
func (s *session) choose(ctx context.Context) error {
	var changed lines
	if s.Since != "" {
		var err error
		if changed, err = changedSince(ctx, s.Since); err != nil {
			return err
		}
	}
	for _, p := range s.packages {
		for _, m := range p.mutants {
			if len(s.Operators) > 0 && !slices.Contains(s.Operators, m.Operator.Name) || s.keep != nil && !s.keep(m.report.ID) {
				continue
			}
			s.found++
			if s.Since == "" || m.changed(changed) {
				s.mutants = append(s.mutants, m)
			}
		}
	}
	s.mutants = sample(s.mutants, s.Sample, s.Seed)
	for _, p := range s.packages {
		p.mutants = slices.DeleteFunc(p.mutants, func(m *mutant) bool { return !slices.Contains(s.mutants, m) })
	}
	return nil
}

// sample returns n of the mutants, in their order; all if n is 0. A larger sample of the same seed has
// those of a smaller one, and what is drawn of a package does not depend on the others.
func sample(all []*mutant, n int, seed uint64) []*mutant {
	if n == 0 || n >= len(all) {
		return all
	}
	draw := map[*mutant][]byte{}
	for _, m := range all {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", seed, m.report.Package, m.report.ID))
		draw[m] = sum[:]
	}
	drawn := slices.Clone(all)
	slices.SortFunc(drawn, func(a, b *mutant) int { return bytes.Compare(draw[a], draw[b]) })
	drawn = drawn[:n]
	return slices.DeleteFunc(slices.Clone(all), func(m *mutant) bool { return !slices.Contains(drawn, m) })
}
