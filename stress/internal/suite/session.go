package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A session is one call of Run.
type session struct {
	Options
	tmp     string
	remove  func() error // removes tmp
	start   time.Time
	first   time.Time // when the first test began: the time of For is for tests, not for builds
	overlay *goroot.Overlay
	whole   bool // the strategy is exhaustive: all executions of a test are one batch

	mu        sync.Mutex
	changed   sync.Cond // on mu: there may be something to do, or nothing is left
	tests     []*test   // in the order of packages and declarations
	opened    int       // the first opened tests have begun
	reported  int       // the first reported tests are done and reported
	packages  int
	pending   int                 // packages that are not built yet
	failed    int                 // failed tests
	searched  time.Duration       // time used by searches for native failures
	busy      time.Duration       // time of slots that tests are charged with
	ends      map[string]*ending  // of workers, by package
	unchanged int                 // packages that Since leaves out
	entries   map[*listed]*cached // of packages that are tested
	err       error               // ends the session
	report    report.SuiteReport
}

// Run tests the packages. If it is interrupted or the tool fails, the report holds what was done until
// then, and the error is context.Cause(ctx) or the tool's error, which is an *InputError if the user can
// do something about it.
func Run(ctx context.Context, o Options) (report.SuiteReport, error) {
	o.complete()
	s := &session{Options: o, start: time.Now(), ends: map[string]*ending{}}
	s.changed.L = &s.mu
	packages, err := s.prepare(ctx)
	if err != nil {
		return s.report, err
	}
	if s.Since != "" && len(packages) == 0 {
		return s.noneChanged(), nil
	}
	defer s.remove() //nolint:errcheck // the next run tries again
	if s.guard, err = process.NewGuard(); err != nil {
		return s.report, err
	}
	defer s.guard.Close()
	s.report.Suite = s.describe(len(packages))
	s.Observers.Notify(&s.report.Suite)
	err = s.run(ctx, packages)
	if errors.Is(err, errFirst) {
		err = nil
	}
	r := &s.report
	if r.Interrupted = ctx.Err() != nil && err != nil; r.Interrupted {
		err = context.Cause(ctx)
	} else if err != nil {
		r.Trouble = err.Error()
	}
	r.Duration, r.UncontrolledFails = time.Since(s.start), o.UncontrolledFails
	s.Observers.Notify(r)
	if err == nil && len(r.Tests) == 0 && r.Broken() == 0 && s.Since == "" { // what has changed need not have tests
		err = s.nothing()
	}
	return *r, err
}

// describe describes the run of so many packages.
func (s *session) describe(packages int) report.Suite {
	d := report.Suite{
		Since: s.Since, Unchanged: s.unchanged,
		Seed: s.Settings.Seed, Packages: packages, For: s.For, Executions: s.Executions, AtMost: s.thrifty, Strategy: s.Settings.Strategy, Clock: s.Settings.Clock,
		Race: s.Build.Race, Native: s.Native, Build: outcome.ThisBuild(),
	}
	if s.overlay != nil {
		d.Go = goOf(s.overlay)
	}
	return d
}

// goOf returns the name of an overlay's Go version for reports.
func goOf(overlay *goroot.Overlay) string {
	if overlay.Unverified != "" {
		return overlay.GoVersion + " (" + recording.Unverified + ")"
	}
	return overlay.GoVersion
}

// noneSelected is reported for a package with no selected test. It is the text of go test.
const noneSelected = "no tests to run"

// nothing returns the error of a run without a test.
func (s *session) nothing() error {
	for _, p := range s.report.Packages {
		switch {
		case p.Without == noneSelected && s.selection() != "":
			return &InputError{"no test is selected by" + s.selection()}
		case p.Without == withoutRun:
			return &InputError{p.Package + ": " + withoutRun}
		}
	}
	return &InputError{"the packages have no tests"}
}

// selection returns the flags that selected tests, as on the command line, each after a space.
func (o *Options) selection() (flags string) {
	if o.Run != "" {
		flags = fmt.Sprintf(" -run %q", o.Run)
	}
	if o.Skip != "" {
		flags += fmt.Sprintf(" -skip %q", o.Skip)
	}
	return flags
}

// prepare checks the strategy, lists the packages and makes the overlay and the temporary folder.
func (s *session) prepare(ctx context.Context) ([]*listed, error) {
	how, err := strategy.Parse(s.Settings.Strategy)
	if err != nil {
		return nil, &InputError{err.Error()}
	}
	_, s.whole = how.(strategy.Exhaustive)
	s.Settings.Strategy = how.Name()
	packages, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	if s.Since != "" {
		changed, err := s.changedSince(ctx, packages)
		if err != nil || len(changed) == 0 {
			s.unchanged = len(packages)
			return nil, err
		}
		s.unchanged = len(packages) - len(changed)
		packages = changed
	}
	if err = s.makeOverlays(ctx); err != nil {
		return nil, err
	}
	return packages, s.makeTemporary()
}

// makeOverlays makes the overlay, or finds it in the cache.
func (s *session) makeOverlays(ctx context.Context) (err error) {
	flags := s.Build
	flags.Race = false
	s.overlay, err = s.makeOverlay(ctx, goroot.Options{Dir: s.dir, BuildFlags: flags.Flags(), Race: s.Build.Race, Debug: s.Build.Debug})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && goroot.Refused(err):
		return &InputError{err.Error()}
	case err != nil:
		return err
	case s.overlay.Note != "":
		s.Doing(s.overlay.Note)
	}
	return asInput(Verify(ctx, s.overlay, s.Build, s.Doing))
}

// run builds the packages while slots run the tests of those that are built.
func (s *session) run(outer context.Context, packages []*listed) error {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	s.packages, s.pending = len(packages), len(packages)
	var slots, others sync.WaitGroup
	for range max(s.Procs, 1) {
		slots.Go(func() { s.slot(ctx) })
	}
	others.Go(func() { s.buildAll(ctx, packages) })
	others.Go(func() {
		<-ctx.Done()
		if outer.Err() != nil {
			s.stop(context.Cause(outer))
		}
	})
	ticked := make(chan struct{})
	others.Go(func() { report.Ticks(ticked, s.tick) })
	slots.Wait()
	close(ticked)
	cancel()
	others.Wait()
	s.keepPassed()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reportEnds(packages)
	s.emit(true)
	return s.err
}

// stop ends the session with an error. Only the first one is kept.
func (s *session) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = cmp.Or(s.err, err)
	s.changed.Broadcast()
}

// tick cuts batches and notifies the observers of the progress.
func (s *session) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tests[s.reported:s.opened] {
		t.cut(time.Now())
	}
	if p, ok := s.progress(); ok {
		s.Observers.Notify(p)
	}
}

// progress returns the progress of the first test that is not done, if one has begun.
func (s *session) progress() (p report.Progress, ok bool) {
	if s.reported >= s.opened {
		return p, false
	}
	t := s.tests[s.reported]
	p = report.Progress{
		Scenario: t.result.Title(), Index: s.reported, Scenarios: len(s.tests), Executions: t.seen,
		Elapsed: time.Since(s.start), ScenarioElapsed: time.Since(t.began), Failed: s.failed,
	}
	if s.For > 0 {
		p.Left = max(s.For-time.Since(s.first), 0)
	} else if s.pending == 0 && t.most > 0 {
		p.Left = s.left(time.Now())
	}
	return p, true
}

// left estimates the time until the end. A test that has begun goes on as it has so far, until it has all its executions
// or its time is up. The others take as long as the tests so far; by default, the mean of that and of the time that they
// may take.
func (s *session) left(now time.Time) time.Duration {
	procs := time.Duration(max(s.Procs, 1))
	running, ended := time.Duration(0), 0
	for _, t := range s.tests[:s.opened] {
		if t.stage == done {
			ended++
			continue
		}
		left := time.Duration(math.MaxInt64)
		if t.seen > 0 {
			left = time.Duration(float64(now.Sub(t.began)) * max(float64(t.most)/float64(t.seen)-1, 0))
		}
		if s.thrifty {
			left = min(left, max(t.until.Sub(now), 0))
		}
		if left < math.MaxInt64 {
			running += left
		}
	}
	waiting := time.Duration(len(s.tests) - s.opened)
	if waiting == 0 || ended == 0 {
		return running / procs
	}
	others := now.Sub(s.first) / time.Duration(ended) * waiting
	if s.thrifty {
		others = (others + s.unused()/procs) / 2
	}
	return running/procs + others
}

// emit reports the tests that are done, in order, and at the end also those that have begun.
func (s *session) emit(end bool) {
	defer func() { s.opened = max(s.opened, s.reported) }()
	for ; s.reported < len(s.tests); s.reported++ {
		t := s.tests[s.reported]
		switch {
		case t.what != nil:
			s.report.Packages = append(s.report.Packages, *t.what)
			s.Observers.Notify(t.what)
			continue
		case t.stage != done && !end:
			return
		case t.stage == waiting:
			continue
		case t.stage != done:
			t.result.Executions, t.result.Duration = t.seen, time.Since(t.began)
		}
		s.Observers.Notify(&t.result)
		t.result.Timelines = nil // they are large
		s.report.Tests = append(s.report.Tests, t.result)
	}
}

// finish ends a test. The caller holds the session's lock.
func (s *session) finish(t *test) {
	if t.finished { // batches that were given up end later
		return
	}
	r := &t.result
	t.finished, t.stage, t.orders = true, done, orders.Counter{}
	r.Duration = time.Since(t.began)
	r.Executions = max(r.Executions, t.reached)
	r.Notes = append(r.Notes, t.aloneNotes()...)
	switch r.Status {
	case report.TestFailed:
		s.failed++
		u := &t.unrepeated
		u.drop(r.Execution)
		if u.any() && u.why != "" {
			r.Notes = append(r.Notes, u.why)
		}
		r.Notes = append(r.Notes, u.notes()...)
	case report.TestInterrupted:
		if t.unrepeated.any() {
			t.endUnrepeated()
			break
		}
		if r.Executions == 0 {
			t.uncontrolled(-1, fmt.Sprintf("its first executions took longer than %v; --for with -run gives them more time", t.firstTime))
			r.Endless = true
			break
		}
		if n := t.evidence.Uncounted; n > 0 && n == r.Executions {
			t.uncontrolled(0, fmt.Sprintf("all %d executions fail after a timer that may have been early, and do not count", r.Executions))
			break
		}
		r.Status, r.Verdict = report.TestPassed, verdict.Pass
		if t.cuts > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%d of %d executions were cut at %d steps, and explored up to there; --max-steps allows more",
				t.cuts, r.Executions, cmp.Or(s.Settings.MaxSteps, wire.DefaultMaxSteps)))
		}
		r.TimeUp = s.thrifty && r.Exhausted == "" && r.Executions < s.Executions && !t.isSeen()
		r.Exhausted = t.evidence.Complete(r.Exhausted, s.Build.Race, !t.alone)
		if r.Orders != nil {
			r.Evidence = evidence.Of(r.Executions, 0, s.whole || r.Exhausted != "", r.Orders, &t.evidence)
			r.Orders, r.Evidence.Exhausted = r.Evidence.Orders, r.Exhausted
			if s.Settings.Clock != racyClock {
				r.Evidence.Racy = "--clock racy"
			}
		}
	}
	if s.FirstFailure && (r.Status == report.TestFailed || r.Endless) {
		s.err = cmp.Or(s.err, errFirst)
	}
	s.emit(false)
	s.changed.Broadcast()
}

// errFirst ends a run with FirstFailure.
var errFirst = errors.New("a test has failed")
