package mutate

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// A session is one call of Run.
type session struct {
	Options
	env      env
	replaced map[string]string // files replaced by the user's own -overlay
	packages []*pkg            // packages with mutants, or that cannot be tested
	mutants  []*mutant         // mutants to test, in the order of packages, files and positions
	found    int               // mutants, before the sample
	start    time.Time
	began    time.Time // when the first mutant was begun
	tmp      string
	guard    *process.Guard
	control  map[string]*control // controls of the ways under stress test
	journal  *journal

	mu       sync.Mutex
	reported int // the first reported mutants are done and reported
	trials   int // trials that have ended
	report   report.MutationReport
}

// temporaryPrefix begins the names of the folders for temporary files.
const temporaryPrefix = "stress-mutate"

// Find returns the mutants that Run would test, without testing them: their statuses are "".
func Find(ctx context.Context, o Options) ([]report.MutantReport, error) {
	s, err := newSession(ctx, o)
	if err != nil {
		return nil, err
	}
	var all []report.MutantReport
	for _, m := range s.mutants {
		all = append(all, m.report)
	}
	for _, p := range s.packages {
		if p.problem != "" {
			return all, refused("%s", p.problem)
		}
	}
	return all, nil
}

// newSession finds the mutants.
func newSession(ctx context.Context, o Options) (*session, error) {
	s := &session{Options: o, start: time.Now()}
	if err := s.complete(); err != nil {
		return nil, err
	}
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	return s, s.choose(ctx)
}

// Run tests the mutants of the packages. If it is interrupted or the tool fails, the report holds what was
// done until then, and the error is context.Cause(ctx) or the tool's error, which is a *suite.InputError if
// the user can do something about it. An undetected mutant is no error.
func Run(ctx context.Context, o Options) (r report.MutationReport, err error) {
	s, err := newSession(ctx, o)
	if err != nil {
		return r, err
	}
	return s.finish(ctx)
}

// finish tests the mutants that were found.
func (s *session) finish(ctx context.Context) (r report.MutationReport, err error) {
	dir, remove, err := suite.Temporary(temporaryPrefix)
	if err != nil {
		return r, err
	}
	defer remove() //nolint:errcheck // the next run tries again
	s.tmp = dir
	if s.guard, err = process.NewGuard(); err != nil {
		return r, err
	}
	defer s.guard.Close()
	if s.journal, err = openJournal(s.Out); err != nil {
		return r, err
	}
	defer s.journal.close()
	s.report.Wanted = s.Score
	err = s.run(ctx)
	if errors.Is(err, errBefore) {
		return s.report, context.Cause(ctx)
	}
	return s.report, err
}

// errBefore reports that the run was interrupted before its beginning was reported.
var errBefore = errors.New("interrupted before the first mutant")

func (s *session) run(ctx context.Context) error {
	if err := s.baseline(ctx); err != nil {
		if ctx.Err() != nil {
			return errBefore
		}
		return err
	}
	s.report.Mutation = report.Mutation{
		Seed: s.Seed, Packages: len(s.packages), Mutants: len(s.mutants), Found: s.found, Ways: s.Ways, Budget: s.Budget,
		Go: s.env.GOVERSION, Build: outcome.ThisBuild(),
	}
	s.Observers.Notify(&s.report.Mutation)
	for _, p := range s.packages {
		if p.problem != "" || len(p.notes) > 0 {
			what := &report.PackageReport{Package: p.PkgPath, Problem: p.problem, Notes: p.notes}
			s.report.Packages = append(s.report.Packages, *what)
			s.Observers.Notify(what)
		}
	}
	s.mutants = slices.DeleteFunc(s.mutants, func(m *mutant) bool { return m.pkg.problem != "" })
	err := s.testAll(ctx)
	r := &s.report
	if r.Interrupted = ctx.Err() != nil && err != nil; r.Interrupted {
		err = context.Cause(ctx)
	} else if err != nil {
		r.Trouble = err.Error()
	}
	r.Duration = time.Since(s.start)
	s.Observers.Notify(r)
	return err
}

// testAll tests the mutants, several at a time, and reports them in order.
func (s *session) testAll(ctx context.Context) error {
	s.began = time.Now()
	ticked, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		report.Ticks(ticked, s.tick)
	}()
	err := s.parallel(ctx, len(s.mutants), func(ctx context.Context, i int) error {
		m := s.mutants[i]
		if err := s.test(ctx, m); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		m.done = true
		s.emit(false)
		return nil
	})
	close(ticked)
	<-stopped
	s.emit(true)
	return err
}

// emit reports the mutants that are done, in order, and at the end also those after one that is not done.
func (s *session) emit(end bool) {
	for ; s.reported < len(s.mutants); s.reported++ {
		m := s.mutants[s.reported]
		switch {
		case !m.done && end:
			continue
		case !m.done:
			return
		}
		s.report.Mutants = append(s.report.Mutants, m.report)
		s.Observers.Notify(&m.report)
	}
}

// tick notifies the observers of the progress.
func (s *session) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reported < len(s.mutants) {
		s.Observers.Notify(s.progress())
	}
}

// progress returns the progress of the first mutant that is not done.
func (s *session) progress() report.Progress {
	m := s.mutants[s.reported]
	p := report.Progress{
		Scenario: m.report.Place() + " " + m.report.Operator, Index: s.reported, Scenarios: len(s.mutants), Executions: s.trials, Unit: "trial",
		Elapsed: time.Since(s.start), ScenarioElapsed: time.Since(s.began), Failed: s.report.Survived(),
	}
	if all := len(s.mutants) * len(s.Ways); s.trials > 0 {
		p.Left = time.Since(s.began) * time.Duration(all-s.trials) / time.Duration(s.trials)
	}
	return p
}

// parallel calls do for 0 to n-1, up to Procs calls at a time, until one fails.
func (s *session) parallel(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(max(1, s.Procs))
	for i := 0; i < n && within.Err() == nil; i++ {
		g.Go(func() error {
			if within.Err() != nil { // since it waited for its turn
				return nil
			}
			return do(within, i)
		})
	}
	if g.Wait() != nil {
		return context.Cause(within)
	}
	return context.Cause(ctx)
}
