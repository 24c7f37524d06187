package mutate

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// An unmutatedTest is a test that passes under stress test without a mutant.
type unmutatedTest struct {
	mayLeak bool // it passes only without the leak oracle

	mu    sync.Mutex
	known bool // all executions have run, not only those of the baseline
	fails int  // the first execution that fails then; math.MaxInt if none does
}

// leastExecutions is how many executions a test must pass without a mutant to take part.
const leastExecutions = 100

// baselineExecutions returns how many executions of each test run without a mutant. If a test kills a mutant
// in a later execution, all of them run: see failsUnmutated.
func (s *session) baselineExecutions() int {
	return min(s.Executions, max(leastExecutions, s.Executions/10))
}

// baselineUnderControl runs the tests under stress test, with the leak oracle; those that do not pass run
// again without it.
func (s *session) baselineUnderControl(ctx context.Context, p *pkg, way string) error {
	var run []*test
	for _, t := range p.tests {
		if u, ok := s.journal.passed(s.unmutatedKey(p, way, t.name)); ok {
			t.passes[way], t.unmutated[way] = u.took(), &unmutatedTest{mayLeak: u.MayLeak}
		} else {
			run = append(run, t)
		}
	}
	for _, mayLeak := range []bool{false, true} {
		if len(run) == 0 {
			break
		}
		problem, err := s.passUnderControl(ctx, p, run, way, mayLeak)
		if err != nil {
			return err
		}
		if problem != "" {
			p.note("not tested by %s: %s", way, problem)
			return nil
		}
		run = slices.DeleteFunc(run, func(t *test) bool { return t.passes[way] > 0 })
	}
	var leak, left []string
	for _, t := range p.tests {
		if u := t.unmutated[way]; u == nil {
			left = append(left, t.name)
		} else if u.mayLeak {
			leak = append(leak, t.name)
		}
	}
	if len(leak) > 0 {
		p.note("without a mutant, %s by %s with --leaks: tested there without it", prose.Are(leak, "does not pass", "do not pass"), way)
	}
	p.leftOut("by "+way, left)
	return nil
}

// passUnderControl finds the tests that pass under stress test without a mutant, and keeps them in the journal. problem
// is why none can run, or "".
func (s *session) passUnderControl(ctx context.Context, p *pkg, run []*test, way string, mayLeak bool) (problem string, err error) {
	var unkept error
	r, err := s.runUnmutated(ctx, p, run, way, func(o *suite.Options) {
		o.Settings.Leaks, o.Executions = !mayLeak, s.baselineExecutions()
		o.Procs, o.For = s.Procs, s.Budget*time.Duration(len(run))
		o.Observers = report.Observers{report.EachTest(func(r report.TestReport) {
			if r.Status == report.TestPassed {
				u := unmutated{Key: s.unmutatedKey(p, way, r.Test), Seconds: r.Duration.Seconds(), MayLeak: mayLeak}
				unkept = errors.Join(unkept, s.journal.passes(u))
			}
		})}
	})
	if err = errors.Join(err, unkept); err != nil {
		return "", err
	}
	for _, t := range run {
		i := slices.IndexFunc(r.Tests, func(r report.TestReport) bool { return r.Test == t.name && r.Status == report.TestPassed })
		if i >= 0 {
			t.passes[way], t.unmutated[way] = max(r.Tests[i].Duration, 1), &unmutatedTest{mayLeak: mayLeak}
		}
	}
	for _, pr := range r.Packages {
		if pr.Problem != "" {
			return pr.Problem, nil
		}
	}
	return "", nil
}

// runUnmutated runs tests under stress test without a mutant.
func (s *session) runUnmutated(ctx context.Context, p *pkg, all []*test, way string, change func(*suite.Options)) (r report.SuiteReport, err error) {
	dir, remove, err := s.folder()
	if err != nil {
		return r, err
	}
	defer remove()
	o := s.suiteOptions(p, all, way, s.control[way].Overlay, dir)
	change(&o)
	return suite.Run(ctx, o)
}

// failsUnmutated reports whether a test that has failed in an execution with a mutant also fails without one, in
// this execution or an earlier one. If it is later than the executions of the baseline, all run once, in the time
// of several trials at most. The result depends only on the execution, not on earlier results.
func (s *session) failsUnmutated(ctx context.Context, p *pkg, t *test, way string, execution int) (bool, error) {
	if execution >= 0 && execution < s.baselineExecutions() {
		return false, nil
	}
	u := t.unmutated[way]
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.known {
		if err := s.checkUnmutated(ctx, p, t, way); err != nil {
			return false, err
		}
	}
	return u.fails <= execution || execution < 0 && u.fails < math.MaxInt, nil
}

// checkUnmutated finds the first execution in which a test fails without a mutant.
func (s *session) checkUnmutated(ctx context.Context, p *pkg, t *test, way string) error {
	u, key := t.unmutated[way], s.unmutatedKey(p, way, t.name)
	key.Step += stepAll
	if _, ok := s.journal.passed(key); ok {
		u.known, u.fails = true, math.MaxInt
		return nil
	}
	r, err := s.runUnmutated(ctx, p, []*test{t}, way, func(o *suite.Options) { o.For = 3 * s.Budget })
	switch {
	case err != nil:
		return err
	case len(r.Tests) != 1:
		u.known, u.fails = true, 0
	case r.Tests[0].Status != report.TestPassed:
		u.known, u.fails = true, max(r.Tests[0].Execution, 0)
	default:
		u.known, u.fails = true, math.MaxInt
		return s.journal.passes(unmutated{Key: key, Seconds: r.Tests[0].Duration.Seconds()})
	}
	return nil
}
