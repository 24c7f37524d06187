package mutate

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// A control is the overlay of a way under stress test; that of a mutant is on top of it.
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
		c := &control{Overlay: made}
		if c.replaced, err = goroot.ReadOverlay(made.File); err != nil {
			return err
		}
		s.control[way] = c
	}
	return nil
}

// suiteOptions are those of stress test for some tests of a package.
func (s *session) suiteOptions(p *pkg, all []*test, way string, overlay *goroot.Overlay, dir string) suite.Options {
	var names []string
	for _, t := range all {
		names = append(names, regexp.QuoteMeta(t.name))
	}
	build := s.Build
	build.More, build.Race = withoutOverlay(build.More), way == StressRace
	return suite.Options{
		Packages: []string{p.PkgPath}, Build: build, Run: "^(" + strings.Join(names, "|") + ")$", Settings: wire.Settings{Seed: s.Seed},
		Executions: s.Executions, For: s.Budget, Procs: 1, Timeout: s.Budget, Overlay: overlay, Temporary: dir,
		Out: filepath.Join(dir, "recordings"), Unrecorded: true,
	}
}

// baselineUnderControl runs the tests under stress test.
func (s *session) baselineUnderControl(ctx context.Context, p *pkg, way string) error {
	var run []*test
	for _, t := range p.tests {
		if u, ok := s.journal.passed(s.unmutatedKey(p, way, t.name)); ok {
			t.passes[way] = u.took()
		} else {
			run = append(run, t)
		}
	}
	if len(run) == 0 {
		return nil
	}
	dir, remove, err := s.folder()
	if err != nil {
		return err
	}
	defer remove()
	o := s.suiteOptions(p, run, way, s.control[way].Overlay, dir)
	o.Procs, o.For = s.Procs, s.Budget*time.Duration(len(run))
	keeps := &keeper{session: s, pkg: p, way: way}
	o.Observers = []report.TestObserver{keeps}
	r, err := suite.Run(ctx, o)
	if err = errors.Join(err, keeps.err); err != nil {
		return err
	}
	var left []string
	for _, t := range run {
		i := slices.IndexFunc(r.Tests, func(r report.TestReport) bool { return r.Test == t.name && r.Status == report.TestPassed })
		if i < 0 {
			left = append(left, t.name)
			continue
		}
		t.passes[way] = max(r.Tests[i].Duration, 1)
	}
	for _, pr := range r.Packages {
		if pr.Problem != "" {
			p.note("not tested by %s: %s", way, pr.Problem)
			return nil
		}
	}
	p.leftOut("by "+way, left)
	return nil
}

// A keeper is a TestObserver that keeps in the journal which tests pass.
type keeper struct {
	*session
	pkg *pkg
	way string
	err error
}

// Began does nothing, as do Progressed, PackageDone and Ended.
func (k *keeper) Began(report.Suite) {}

// Progressed does nothing.
func (k *keeper) Progressed(report.Progress) {}

// PackageDone does nothing.
func (k *keeper) PackageDone(report.PackageReport) {}

// Ended does nothing.
func (k *keeper) Ended(report.SuiteReport) {}

// TestDone keeps a test that passes.
func (k *keeper) TestDone(r report.TestReport) {
	if r.Status == report.TestPassed {
		u := unmutated{Key: k.unmutatedKey(k.pkg, k.way, r.Test), Seconds: r.Duration.Seconds()}
		k.err = errors.Join(k.err, k.journal.passes(u))
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
	o := s.suiteOptions(m.pkg, all, way, &overlay, dir)
	o.FirstFailure = true
	r, err := suite.Run(ctx, o)
	if ctx.Err() != nil {
		return t, context.Cause(ctx)
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
			t.Outcome, t.By, t.What = report.TrialTimeout, test.Test, "an execution does not end"
		case test.Status == report.TestFailed:
			t.Outcome, t.By, t.What = report.TrialKilled, test.Test, string(test.Verdict)
		}
	}
	for _, p := range r.Packages {
		if p.Problem == "" {
			continue
		}
		first, _, _ := strings.Cut(p.Problem, "\n")
		if !strings.HasPrefix(first, suite.CannotList) {
			return t, &errInvalid{p.Problem}
		}
		t.Outcome, t.What = report.TrialKilled, clip(first)
	}
	var input *suite.InputError
	if err != nil && !errors.As(err, &input) {
		t.Outcome, t.What = report.TrialError, clip(err.Error())
	} else if err != nil {
		return t, err
	}
	return t, nil
}
