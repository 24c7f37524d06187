package mutate

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
)

// test tests a mutant in all ways, and decides its status.
func (s *session) test(ctx context.Context, m *mutant) error {
	r := &m.report
	dir, remove, err := s.folder()
	if err != nil {
		return err
	}
	defer remove()
	overlay, err := m.overlay(dir, "overlay.json", s.replaced)
	if err != nil {
		return err
	}
	for _, way := range s.Ways {
		if tests(way) && len(m.tests) == 0 {
			continue
		}
		t, err := s.try(ctx, m, dir, overlay, way)
		if text, is := invalid(err); is {
			r.Status, r.Problem, r.Trials = report.MutantInvalid, text, nil
			return nil
		} else if err != nil {
			return err
		}
		r.Trials = append(r.Trials, t)
		s.mu.Lock()
		s.trials++
		s.mu.Unlock()
	}
	m.decide(s.Ways)
	if !r.Survives() {
		return nil
	}
	same, err := s.survivorIsEquivalent(ctx, m, dir, overlay)
	if text, is := invalid(err); is {
		r.Status, r.Problem, r.Trials = report.MutantInvalid, text, nil
		return nil
	}
	if same {
		r.Status = report.MutantEquivalent
	}
	return err
}

// decide sets the status from the trials.
func (m *mutant) decide(ways []string) {
	r := &m.report
	has := func(outcomes ...report.TrialOutcome) bool {
		return slices.ContainsFunc(r.Trials, func(t report.Trial) bool { return slices.Contains(outcomes, t.Outcome) })
	}
	switch {
	case has(report.TrialKilled, report.TrialTimeout):
		r.Status = report.MutantKilled
	case has(report.TrialError) && !has(report.TrialSurvived):
		r.Status = report.MutantError
	case !has(report.TrialSurvived) && (has(report.TrialNotRun) || m.pkg.blocked):
		r.Status = report.MutantUntested
	case len(r.Tests) == 0 && !r.NoCoverage && slices.ContainsFunc(ways, tests):
		r.Status = report.MutantUncovered
	default:
		r.Status = report.MutantSurvived
	}
	if i := slices.IndexFunc(r.Trials, func(t report.Trial) bool { return t.Outcome == report.TrialError }); i >= 0 {
		r.Problem = r.Trials[i].Way + ": " + r.Trials[i].What
	}
}

// try tests a mutant in one way, or takes the result from the journal.
func (s *session) try(ctx context.Context, m *mutant, dir, overlay, way string) (t report.Trial, err error) {
	key := s.key(m, way)
	if line, ok := s.journal.find(key); ok {
		if line.Invalid != "" {
			return t, &errInvalid{line.Invalid}
		}
		return line.trial(), nil
	}
	switch way {
	case Plain, Race:
		t, err = s.tryTests(ctx, m, dir, overlay, way)
	case Stress, StressRace:
		t, err = s.tryControl(ctx, m, dir, way)
	case Command:
		t, err = s.tryCommand(ctx, dir, overlay)
	}
	t.Way = way
	if text, is := invalid(err); is {
		return t, errors.Join(err, s.journal.add(line{Key: key, Invalid: text}))
	}
	if err != nil {
		return t, err
	}
	return t, s.journal.add(lineOf(key, t))
}

// survivorIsEquivalent reports whether a survivor is equivalent, or takes that result from the journal.
func (s *session) survivorIsEquivalent(ctx context.Context, m *mutant, dir, overlay string) (bool, error) {
	key := s.key(m, "listing")
	if line, ok := s.journal.find(key); ok {
		return line.Equivalent, nil
	}
	same, err := s.equivalent(ctx, m, dir, overlay)
	if err != nil {
		return false, err
	}
	return same, s.journal.add(line{Key: key, Equivalent: same})
}

// Results of a trial that did not end. They omit its time, which depends on the machine.
const (
	noEnd      = "no end in time"
	allWaiting = "no end: all goroutines wait"
)

// grace is how long to wait for a process that should have ended by itself.
const grace = 5 * time.Second

// tryTests runs the tests that see a mutant, plainly or with the race detector.
func (s *session) tryTests(ctx context.Context, m *mutant, dir, overlay, way string) (t report.Trial, err error) {
	all, planned, wait := s.affordable(m, way)
	if len(all) == 0 {
		return report.Trial{Outcome: report.TrialNotRun}, nil
	}
	binary, err := s.goTest(ctx, m.pkg, dir, way, overlay, buildFlags(way)...)
	if err != nil {
		return t, err
	}
	defer os.Remove(binary) //nolint:errcheck // it is removed with its folder
	tmp := filepath.Join(dir, "t"+way)
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return t, err
	}
	r, err := s.runTests(ctx, m.pkg, binary, all, tmp, wait, s.Count)
	if err == nil && r.idle && !allWait(r.output) { // it might have continued
		wait.idle = 0
		r, err = s.runTests(ctx, m.pkg, binary, all, tmp, wait, s.Count)
	}
	if err != nil {
		return t, err
	}
	t = report.Trial{Tests: len(all), PlannedTests: planned, Duration: r.took, Outcome: report.TrialSurvived}
	switch {
	case r.late || r.idle || strings.Contains(r.output, "panic: test timed out after "):
		t.Outcome, t.By, t.What = report.TrialTimeout, running(r.output), noEnd
		if allWait(r.output) {
			t.What = allWaiting
		}
	case r.code != 0:
		t.Outcome = report.TrialKilled
		t.By, t.What = failure(r.output, r.status)
	}
	return t, nil
}

// affordable returns the tests that see a mutant and fit the budget: all of them if the whole package fits, or
// else the fastest ones, but at least one. It also returns how many there are without a budget, and how long to
// wait for the tests: three times as long as they take without a mutant, if that exceeds the budget.
func (s *session) affordable(m *mutant, way string) (all []*test, planned int, wait patience) {
	var sum time.Duration
	for _, t := range m.tests {
		if t.passes[way] > 0 {
			all = append(all, t)
			sum += t.passes[way]
		}
	}
	planned = len(all)
	if took := m.pkg.together[way]; took > 0 {
		sum = min(sum, took)
	}
	if sum > s.Budget {
		slices.SortStableFunc(all, func(a, b *test) int { return cmp.Compare(a.passes[way], b.passes[way]) })
		sum = all[0].passes[way]
		n := 1
		for ; n < planned && sum+all[n].passes[way] <= s.Budget; n++ {
			sum += all[n].passes[way]
		}
		all = all[:n]
	}
	return all, planned, patience{most: max(s.Budget, 3*sum), idle: idleLimit(sum)}
}
