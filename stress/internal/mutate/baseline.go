package mutate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse/stress/internal/prose"
)

// baselineRuns is how often a test must pass without a mutant to take part: each time in a new process.
const baselineRuns = 2

// patience returns how long a test may take without a mutant.
func (s *session) patience() patience { return patience{most: max(time.Minute, 3*s.Budget)} }

// baseline builds the packages without a mutant, and runs their tests. Tests that do not pass then are left out
// and noted, and coverage shows which mutants the others can see.
func (s *session) baseline(ctx context.Context) error {
	if err := s.makeControls(ctx); err != nil {
		return err
	}
	if slices.Contains(s.Ways, Command) && len(s.mutants) > 0 {
		if err := s.commandPasses(ctx); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(s.Ways, tests) {
		return nil
	}
	tested := false
	for _, p := range s.packages {
		if p.problem != "" || len(p.mutants) == 0 {
			continue
		}
		s.Doing(fmt.Sprintf("%s: building and running the tests without a mutant ...", p.PkgPath))
		if err := s.baselineOf(ctx, p); err != nil {
			text, is := invalid(err)
			if !is {
				return err
			}
			p.problem = text
		}
		tested = tested || !p.untested
	}
	if !tested && len(s.mutants) > 0 {
		return refused("the packages have no tests")
	}
	return s.someTakePart()
}

// someTakePart returns an error if no test of the packages takes part in any way.
func (s *session) someTakePart() error {
	var why []string
	for _, p := range s.packages {
		switch {
		case p.blocked:
			for _, n := range p.notes {
				why = append(why, p.PkgPath+": "+n)
			}
		case p.problem != "" || len(p.mutants) > 0 && !p.untested:
			return nil
		}
	}
	if len(why) == 0 || slices.Contains(s.Ways, Command) {
		return nil
	}
	return refused("no test takes part in any way\n%s", strings.Join(why, "\n"))
}

// baselineOf runs the tests of one package.
func (s *session) baselineOf(ctx context.Context, p *pkg) error {
	dir, remove, err := s.folder()
	if err != nil {
		return err
	}
	defer remove()
	covering := sync.OnceValues(func() (string, error) {
		return s.goTest(ctx, p, dir, "cover", "", "-cover", "-covermode=atomic", "-coverpkg="+p.PkgPath)
	})
	names, err := s.testNames(ctx, p, covering)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		p.untested = true
		return nil
	}
	for _, name := range names {
		p.tests = append(p.tests, &test{name: name, passes: map[string]time.Duration{}, unmutated: map[string]*unmutatedTest{}})
	}
	passed := make([]bool, len(p.tests))
	err = s.parallel(ctx, len(p.tests), func(ctx context.Context, i int) (err error) {
		passed[i], err = s.measure(ctx, p, covering, p.tests[i])
		return err
	})
	if err != nil {
		return err
	}
	p.keep("with coverage", func(i int) bool { return passed[i] })
	p.blocked = len(p.tests) == 0
	p.see()
	p.tests = slices.DeleteFunc(p.tests, func(t *test) bool { // those that see no mutant need not pass
		return !slices.ContainsFunc(p.mutants, func(m *mutant) bool { return slices.Contains(m.tests, t) })
	})
	for _, way := range s.Ways {
		switch way {
		case Plain, Race:
			err = s.baselineIn(ctx, p, dir, way)
		case Stress, StressRace:
			err = s.baselineUnderControl(ctx, p, way)
		}
		if err != nil {
			return err
		}
	}
	p.noteIdleWays(s.Ways)
	return nil
}

// noteIdleWays notes the ways in which no test takes part.
func (p *pkg) noteIdleWays(ways []string) {
	if len(p.tests) == 0 {
		return
	}
	p.blocked = true
	for _, way := range ways {
		if !tests(way) {
			continue
		}
		if slices.ContainsFunc(p.tests, func(t *test) bool { return t.passes[way] > 0 }) {
			p.blocked = false
		} else {
			p.note("no test takes part in the way %s: no mutant is tested in it", way)
		}
	}
}

// keep leaves out the tests that did not pass, and notes it.
func (p *pkg) keep(how string, passed func(i int) bool) {
	var kept []*test
	var left []string
	for i, t := range p.tests {
		if passed(i) {
			kept = append(kept, t)
		} else {
			left = append(left, t.name)
		}
	}
	p.leftOut(how, left)
	p.tests = kept
}

// leftOut notes that tests do not take part.
func (p *pkg) leftOut(how string, names []string) {
	if len(names) > 0 {
		p.note("without a mutant, %s %s: left out there", prose.Are(names, "does not pass", "do not pass"), how)
	}
}

// testNames returns the names of the selected tests.
func (s *session) testNames(ctx context.Context, p *pkg, binary func() (string, error)) ([]string, error) {
	key := s.unmutatedKey(p, stepList, "")
	if u, ok := s.journal.passed(key); ok {
		return u.Names, nil
	}
	covering, err := binary()
	if err != nil || covering == "" {
		return nil, err
	}
	names, err := s.listTests(ctx, p, covering)
	if err != nil {
		return nil, err
	}
	return names, s.journal.passes(unmutated{Key: key, Names: names})
}

// listTests returns the names of the selected tests, as listed by a test binary.
func (s *session) listTests(ctx context.Context, p *pkg, binary string) (names []string, err error) {
	dir, remove, err := s.folder()
	if err != nil {
		return nil, err
	}
	defer remove()
	pattern, _, _ := strings.Cut(s.Options.Run, "/")
	if pattern == "" {
		pattern = "."
	}
	r, err := s.runBinary(ctx, p, binary, dir, s.patience(), "-test.list="+pattern)
	if err != nil {
		return nil, err
	}
	if r.code != 0 {
		return nil, &errInvalid{fmt.Sprintf("%s: its tests cannot be listed: %s\n%s", p.PkgPath, r.status, r.output)}
	}
	for line := range strings.Lines(r.output) {
		name := strings.TrimSpace(line)
		for _, kind := range []string{"Test", "Example", "Fuzz"} {
			if strings.HasPrefix(name, kind) && !strings.ContainsAny(name, " \t") {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// baselineIn runs each test alone, plainly or with the race detector.
func (s *session) baselineIn(ctx context.Context, p *pkg, dir, way string) error {
	binary := sync.OnceValues(func() (string, error) { return s.goTest(ctx, p, dir, way, "", buildFlags(way)...) })
	took := make([]time.Duration, len(p.tests)) // 0 if it does not pass
	err := s.parallel(ctx, len(p.tests), func(ctx context.Context, i int) (err error) {
		key := s.unmutatedKey(p, way, p.tests[i].name)
		if u, ok := s.journal.passed(key); ok {
			took[i] = u.took()
			return nil
		}
		if took[i], err = s.alone(ctx, p, binary, p.tests[i]); err != nil || took[i] == 0 {
			return err
		}
		return s.journal.passes(unmutated{Key: key, Seconds: took[i].Seconds()})
	})
	if err != nil {
		return err
	}
	var left []string
	for i, t := range p.tests {
		if took[i] == 0 {
			left = append(left, t.name)
		} else {
			t.passes[way] = took[i]
		}
	}
	p.leftOut(map[string]string{Plain: "when it runs alone", Race: "with the race detector"}[way], left)
	return s.measureTogether(ctx, p, binary, way)
}

// measureTogether measures how long all tests take in one process, unless even the sum of their times alone
// fits the budget: that sum has a start of the process for each test, and does not benefit from t.Parallel.
func (s *session) measureTogether(ctx context.Context, p *pkg, binary func() (string, error), way string) error {
	var all []*test
	var names []string
	var sum time.Duration
	for _, t := range p.tests {
		if t.passes[way] > 0 {
			all, names, sum = append(all, t), append(names, t.name), sum+t.passes[way]
		}
	}
	if sum <= s.Budget || len(all) == 1 {
		return nil
	}
	key := s.unmutatedKey(p, way, strings.Join(names, " "))
	if u, ok := s.journal.passed(key); ok {
		p.together[way] = u.took()
		return nil
	}
	file, err := binary()
	if err != nil {
		return err
	}
	dir, remove, err := s.folder()
	if err != nil {
		return err
	}
	defer remove()
	r, err := s.runTests(ctx, p, file, all, dir, patience{most: s.Budget}, s.Count)
	if err != nil || r.code != 0 || r.took > s.Budget {
		return err
	}
	p.together[way] = r.took
	return s.journal.passes(unmutated{Key: key, Seconds: r.took.Seconds()})
}

// alone runs a test several times, and returns the longest time that it takes, or 0 if it does not pass.
func (s *session) alone(ctx context.Context, p *pkg, binary func() (string, error), t *test) (longest time.Duration, err error) {
	file, err := binary()
	if err != nil {
		return 0, err
	}
	for range baselineRuns {
		tmp, remove, err := s.folder()
		if err != nil {
			return 0, err
		}
		r, err := s.runTests(ctx, p, file, []*test{t}, tmp, s.patience(), s.Count)
		remove()
		if err != nil || r.code != 0 {
			return 0, err
		}
		longest = max(longest, r.took)
	}
	return longest, nil
}
