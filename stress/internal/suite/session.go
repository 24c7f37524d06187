package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A session is one call of Run.
type session struct {
	Options
	tmp     string
	start   time.Time
	first   time.Time // when the first test began: the time of For is for tests, not for builds
	overlay *goroot.Overlay
	whole   bool // the strategy is exhaustive: all executions of a test are one batch

	mu       sync.Mutex
	changed  sync.Cond // of mu: there may be something to do, or nothing more
	tests    []*test   // in the order of packages and declarations
	opened   int       // tests that have begun, from the first on
	reported int       // tests that are done and reported, from the first on
	packages int
	pending  int   // packages that have yet to be built
	failed   int   // tests
	err      error // that ends the session
	report   report.SuiteReport
}

// Run tests the packages. If it is interrupted or the tool fails, the report holds what was done until
// then, and the error is context.Cause(ctx), or that of the tool: an *InputError if the user can do
// something about it.
func Run(ctx context.Context, o Options) (report.SuiteReport, error) {
	o.complete()
	s := &session{Options: o, start: time.Now()}
	s.changed.L = &s.mu
	s.report.Seed = o.Settings.Seed
	packages, err := s.prepare(ctx)
	if err != nil {
		return s.report, err
	}
	defer os.RemoveAll(s.tmp)
	s.each(func(ob report.TestObserver) {
		ob.Began(report.Suite{
			Seed: o.Settings.Seed, Packages: len(packages), For: o.For, Executions: o.Executions, Strategy: o.Settings.Strategy, Clock: o.Settings.Clock,
			Race: o.Build.Race, Native: o.Native, Go: s.overlay.GoVersion, Build: outcome.ThisBuild(),
		})
	})
	err = s.run(ctx, packages)
	r := &s.report
	if r.Interrupted = ctx.Err() != nil && err != nil; r.Interrupted {
		err = context.Cause(ctx)
	} else if err != nil {
		r.Trouble = err.Error()
	}
	r.Duration = time.Since(s.start)
	s.each(func(ob report.TestObserver) { ob.Ended(*r) })
	if err == nil && len(r.Tests) == 0 && r.Broken() == 0 {
		err = s.nothing()
	}
	return *r, err
}

// noneSelected is what is reported of a package whose tests are all left out, as go test says it.
const noneSelected = "no tests to run"

// nothing is the error of a run without a test.
func (s *session) nothing() error {
	for _, p := range s.report.Packages {
		if p.Without == noneSelected {
			return &InputError{fmt.Sprintf("no test matches -run %q and -skip %q", s.Options.Run, s.Skip)}
		}
	}
	return &InputError{"the packages have no tests"}
}

// prepare checks what is asked for, lists the packages and makes the overlay.
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
	if err = s.makeOverlays(ctx); err != nil {
		return nil, err
	}
	s.tmp, err = temporary(s.Build.Race)
	return packages, err
}

// temporary makes a folder for binaries and other files of a run.
func temporary(race bool) (string, error) {
	if dir := os.TempDir(); race && strings.ContainsAny(dir, " \t\n") { // GORACE has no quotes
		return "", &InputError{fmt.Sprintf("-race: the folder for temporary files is %q; want a TMPDIR without blanks", dir)}
	}
	return os.MkdirTemp("", "stress-test-")
}

// makeOverlays makes the overlay, or finds it in the cache.
func (s *session) makeOverlays(ctx context.Context) (err error) {
	flags := s.Build
	flags.Race = false
	s.overlay, err = s.makeOverlay(ctx, goroot.Options{Dir: s.dir, BuildFlags: flags.flags(), Race: s.Build.Race})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && goroot.Refused(err):
		return &InputError{err.Error()}
	case err == nil && s.overlay.Note != "":
		s.Doing(s.overlay.Note)
	}
	return err
}

func (s *session) each(notify func(report.TestObserver)) {
	for _, ob := range s.Observers {
		notify(ob)
	}
}

// run builds the packages one after the other, while slots run the tests of those that are built.
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
	others.Go(func() { s.tick(ticked) })
	slots.Wait()
	close(ticked)
	cancel()
	others.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emit(true)
	return s.err
}

// stop ends the session; a second cause does not count.
func (s *session) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = cmp.Or(s.err, err)
	s.changed.Broadcast()
}

// tick notifies the observers of the progress until it is stopped.
func (s *session) tick(stopped <-chan struct{}) {
	ticker := time.NewTicker(tickTime)
	defer ticker.Stop()
	for {
		select {
		case <-stopped:
			return
		case <-ticker.C:
			s.mu.Lock()
			for _, t := range s.tests[s.reported:s.opened] {
				t.cut(time.Now())
			}
			if p, ok := s.progress(); ok {
				s.each(func(ob report.TestObserver) { ob.Progressed(p) })
			}
			s.mu.Unlock()
		}
	}
}

// progress is that of the first test that is not done.
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
		if done := float64(s.reported) + min(float64(t.seen)/float64(t.most), 1); done > 0 {
			p.Left = time.Duration(float64(p.Elapsed) * (float64(len(s.tests)) - done) / done)
		}
	}
	return p, true
}

// emit reports the tests that are done, in order; at the end those that have begun, too.
func (s *session) emit(end bool) {
	defer func() { s.opened = max(s.opened, s.reported) }()
	for ; s.reported < len(s.tests); s.reported++ {
		t := s.tests[s.reported]
		switch {
		case t.what != nil:
			s.report.Packages = append(s.report.Packages, *t.what)
			s.each(func(ob report.TestObserver) { ob.PackageDone(*t.what) })
			continue
		case t.stage != done && !end:
			return
		case t.stage == waiting:
			continue
		case t.stage != done:
			t.result.Executions, t.result.Duration = t.seen, time.Since(t.began)
		}
		s.report.Tests = append(s.report.Tests, t.result)
		s.each(func(ob report.TestObserver) { ob.TestDone(t.result) })
	}
}

// finish ends a test. Its session's lock is held.
func (s *session) finish(t *test) {
	r := &t.result
	t.stage, t.orders = done, nil
	r.Duration = time.Since(t.began)
	switch r.Status {
	case report.TestFailed:
		s.failed++
	case report.TestInterrupted:
		r.Status, r.Verdict = report.TestPassed, verdict.Pass
	}
	s.emit(false)
	s.changed.Broadcast()
}

// A slot runs one worker at a time.
type slot struct {
	*session
	test   *test // that it has begun
	worker *worker
	of     *test // whose worker it is
}

// slot takes what there is to do until nothing is left. Workers end with the thread that has started
// them.
func (s *session) slot(ctx context.Context) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sl := &slot{session: s}
	defer func() {
		if sl.worker != nil {
			sl.worker.close()
		}
	}()
	for {
		do, ok := sl.take()
		if !ok {
			return
		}
		if err := do(ctx); err != nil {
			s.stop(err)
			return
		}
	}
}

// take returns what to do next, and false if there is nothing more. It waits if something may come.
// Tests that have begun come first, and several slots run one test only when there is no other.
func (sl *slot) take() (do func(context.Context) error, ok bool) {
	s := sl.session
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.err != nil {
			return nil, false
		}
		if do := sl.pick(); do != nil {
			return do, true
		}
		if s.pending == 0 && s.allDone() {
			return nil, false
		}
		s.changed.Wait()
	}
}

// pick returns something to do, nil if there is nothing now.
func (sl *slot) pick() func(context.Context) error {
	s := sl.session
	for _, t := range s.tests[s.reported:s.opened] {
		if t.stage == failing {
			t.stage = settling
			return func(ctx context.Context) error { return sl.settle(ctx, t) }
		}
	}
	if do := sl.batchOf(sl.test); do != nil {
		return do
	}
	for s.opened < len(s.tests) && s.tests[s.opened].stage == done {
		s.opened++
	}
	if s.opened < len(s.tests) {
		t := s.tests[s.opened]
		s.opened++
		sl.test = t
		t.stage, t.began = repeating, time.Now()
		if s.first.IsZero() {
			s.first = t.began
		}
		if s.For > 0 {
			t.until = t.began.Add(s.share(t.began))
		}
		return func(ctx context.Context) error { return sl.open(ctx, t) }
	}
	for _, t := range s.tests[s.reported:] {
		if do := sl.batchOf(t); do != nil {
			return do
		}
	}
	return nil
}

// batchOf returns the next batch of a test as something to do, nil if it has none.
func (sl *slot) batchOf(t *test) func(context.Context) error {
	if t == nil || t.stage != exploring {
		return nil
	}
	b := t.deal(time.Now())
	if b == nil {
		return nil
	}
	t.begin(b)
	return func(ctx context.Context) error { return sl.explore(ctx, t, b) }
}

// share is the time of the next test: what is left, divided among the tests that have not begun, which
// the slots share. A package that has yet to be built counts as many tests as the others have on average.
func (s *session) share(now time.Time) time.Duration {
	left := max(s.For-now.Sub(s.first), 0)
	waiting := len(s.tests) - s.opened + 1
	if built := s.packages - s.pending; built > 0 {
		waiting += len(s.tests) * s.pending / built
	}
	return min(left, left*time.Duration(max(s.Procs, 1))/time.Duration(waiting))
}

func (s *session) allDone() bool {
	for _, t := range s.tests[s.reported:] {
		if t.stage != done {
			return false
		}
	}
	return true
}

// use makes the worker of the slot one of the test; another one if fresh.
func (sl *slot) use(ctx context.Context, t *test, fresh bool) (*worker, error) {
	if w := sl.worker; w != nil && (fresh || w.spent || sl.of != t) {
		w.close()
		sl.worker = nil
	}
	sl.of = t
	if sl.worker == nil {
		w, err := t.program.start(ctx, &sl.Options)
		if err != nil {
			return nil, cmp.Or(context.Cause(ctx), err)
		}
		sl.worker = w
	}
	return sl.worker, nil
}

// ask asks the worker of the slot. A death is returned as such, another error ends the session.
func (sl *slot) ask(ctx context.Context, t *test, fresh bool, r wire.Request, progressed func(wire.Answer), enough <-chan struct{}) (wire.Answer, *death, error) {
	w, err := sl.use(ctx, t, fresh)
	if err != nil {
		return wire.Answer{}, nil, err
	}
	r.Test, r.Settings = t.name, sl.Settings
	a, err := w.ask(ctx, r, progressed, enough)
	var d *death
	switch {
	case errors.As(err, &d):
		return a, d, nil
	case err == nil && a.Kind == wire.Refused:
		return a, nil, fmt.Errorf("%s: a worker: %s", t.result.Title(), a.Reason)
	}
	return a, nil, err
}
