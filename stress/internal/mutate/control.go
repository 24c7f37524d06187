package mutate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// A control is the overlay of a way under stress test. The overlay of a mutant is on top of it.
type control struct {
	*goroot.Overlay
	replaced map[string]string
}

// makeControls makes the overlays of the ways under stress test.
func (s *session) makeControls(ctx context.Context) error {
	s.control = map[string]*control{}
	for _, way := range s.Ways {
		if way != Stress && way != StressRace {
			continue
		}
		made, err := goroot.Make(ctx, goroot.Options{BuildFlags: s.Build.Flags(), Race: way == StressRace})
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && goroot.Refused(err):
			return refused("%v; the ways plain and race do not need it", err)
		case err != nil:
			return err
		}
		if err := suite.Verify(ctx, made, suite.Build{Race: way == StressRace, Exec: s.Build.Exec}, s.Doing); err != nil {
			return refused("%v; the ways plain and race do not need it", err)
		}
		c := &control{Overlay: made}
		if c.replaced, err = goroot.ReadOverlay(made.File); err != nil {
			return err
		}
		s.control[way] = c
	}
	return nil
}

// suiteOptions returns the options of stress test for some tests of a package.
func (s *session) suiteOptions(p *pkg, all []*test, way string, overlay *goroot.Overlay, dir string) suite.Options {
	var names, mayLeak []string
	for _, t := range all {
		names = append(names, regexp.QuoteMeta(t.name))
		if u := t.unmutated[way]; u != nil && u.mayLeak {
			mayLeak = append(mayLeak, t.name)
		}
	}
	build := s.Build
	build.More, build.Race = withoutOverlay(build.More), way == StressRace
	return suite.Options{
		Packages: []string{p.PkgPath}, Build: build, Run: "^(" + strings.Join(names, "|") + ")$", Settings: wire.Settings{Seed: s.Seed, Leaks: true}, MayLeak: mayLeak,
		Executions: s.Executions, For: s.Budget, Procs: 1, Memory: s.Memory, Timeout: s.Budget, Overlay: overlay, Temporary: dir,
		Out: filepath.Join(dir, "recordings"), Unrecorded: true,
	}
}

// tryControl runs the tests that see a mutant under stress test, until one fails.
func (s *session) tryControl(ctx context.Context, m *mutant, dir, way string) (t report.Trial, err error) {
	all := slices.DeleteFunc(slices.Clone(m.tests), func(t *test) bool { return t.passes[way] == 0 })
	if len(all) == 0 {
		return report.Trial{Outcome: report.TrialNotRun}, nil
	}
	base := s.control[way]
	file, err := m.overlay(dir, way+".json", base.replaced)
	if err != nil {
		return t, err
	}
	overlay := *base.Overlay
	overlay.File, overlay.Flags = file, slices.Clone(overlay.Flags)
	overlay.Flags[slices.Index(overlay.Flags, "-overlay="+base.File)] = "-overlay=" + file
	planned, without := len(all), ""
	for {
		var by *report.TestReport
		if t, by, err = s.tryOnce(ctx, m, all, way, &overlay, dir); err != nil {
			return t, err
		}
		t.PlannedTests = planned
		if by == nil {
			t.What = cmp.Or(t.What, without)
			return t, nil
		}
		i := slices.IndexFunc(all, func(t *test) bool { return t.name == by.Test })
		if i < 0 {
			return t, fmt.Errorf("%s: found a result of %s, which was not selected", m.pkg.PkgPath, by.Test)
		}
		fails, err := s.failsUnmutated(ctx, m.pkg, all[i], way, by.Execution)
		if err != nil || !fails {
			return t, err
		}
		without = fmt.Sprintf("%s fails in execution %d or before without the mutant, too", by.Test, by.Execution)
		if all = slices.Delete(all, i, i+1); len(all) == 0 {
			return report.Trial{Outcome: report.TrialNotRun, What: without, PlannedTests: planned}, nil
		}
	}
}

// tryOnce runs tests under stress test with a mutant, until one fails. by is the result of that test, or nil if
// none has failed.
func (s *session) tryOnce(ctx context.Context, m *mutant, all []*test, way string, overlay *goroot.Overlay, dir string) (t report.Trial, by *report.TestReport, err error) {
	o := s.suiteOptions(m.pkg, all, way, overlay, dir)
	o.FirstFailure = true
	r, err := suite.Run(ctx, o)
	if ctx.Err() != nil {
		return t, nil, context.Cause(ctx)
	}
	t = report.Trial{Outcome: report.TrialSurvived, Tests: len(r.Tests)}
	for i := range r.Tests {
		test := &r.Tests[i]
		t.Duration += test.Duration
		t.Executions += test.Executions
		if t.Planned += test.Executions; test.Status == report.TestPassed && test.Exhausted == "" {
			t.Planned += max(0, s.Executions-test.Executions)
		}
		switch {
		case test.Endless:
			by, t.Outcome, t.By, t.What = test, report.TrialTimeout, test.Test, "an execution does not end"
		case test.Status == report.TestFailed:
			by, t.Outcome, t.By, t.What = test, report.TrialKilled, test.Test, string(test.Verdict)
		}
	}
	for _, p := range r.Packages {
		if p.Problem == "" {
			continue
		}
		first, _, _ := strings.Cut(p.Problem, "\n")
		if !strings.HasPrefix(first, suite.CannotList) {
			return t, nil, &errInvalid{p.Problem}
		}
		by, t.Outcome, t.What = nil, report.TrialKilled, clip(first)
	}
	var input *suite.InputError
	if err != nil && !errors.As(err, &input) {
		by, t.Outcome, t.What = nil, report.TrialError, clip(err.Error())
	} else if err != nil {
		return t, nil, err
	}
	return t, by, nil
}
