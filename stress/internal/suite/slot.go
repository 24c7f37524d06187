package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A slot runs one worker at a time.
type slot struct {
	*session
	test   *test // the one it began last
	worker *worker
	of     *test                     // the test of worker
	choose func(question []byte) int // see worker
}

// slot does the work of a slot until nothing is left. It locks its thread because workers end with the thread
// that started them.
func (s *session) slot(ctx context.Context) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sl := &slot{session: s}
	defer sl.end()
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

// take returns the next thing to do, or false if nothing is left. It waits while more may come.
// Tests that have begun come first, and several slots run the same test only if there is no other.
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

// pick returns something to do, or nil if there is nothing at the moment.
func (sl *slot) pick() func(context.Context) error {
	s := sl.session
	for _, t := range s.tests[s.reported:s.opened] {
		if t.stage == failing {
			t.stage = settling
			return sl.trying(t, func(ctx context.Context) error { return sl.settle(ctx, t) })
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
		switch {
		case s.For > 0:
			t.until = t.began.Add(s.share(t.began))
		case s.thrifty:
			t.allowance = s.allowance()
			t.until = t.began.Add(t.allowance)
		}
		return sl.trying(t, func(ctx context.Context) error { return sl.open(ctx, t) })
	}
	for _, t := range s.tests[s.reported:] {
		if do := sl.batchOf(t); do != nil {
			return do
		}
	}
	return nil
}

// batchOf returns a function that runs the next batch of a test, or nil if it has none.
func (sl *slot) batchOf(t *test) func(context.Context) error {
	if t == nil || t.stage != exploring {
		return nil
	}
	b := t.deal(time.Now())
	if b == nil {
		return nil
	}
	t.begin(b)
	return sl.trying(t, func(ctx context.Context) error { return sl.explore(ctx, t, b) })
}

// trying wraps something to do for a test. If a worker refuses it because of the test or its package, the test is
// broken, and the others go on.
func (sl *slot) trying(t *test, do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		began := time.Now()
		err := do(ctx)
		sl.charge(t, time.Since(began))
		var refused *refusal
		if !errors.As(err, &refused) {
			return err
		}
		s := sl.session
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.stage == done {
			return nil
		}
		t.giveUp()
		t.refused(refused)
		s.finish(t)
		return nil
	}
}

// share returns the time for the next test: the time left times the number of slots, divided by the tests that have
// not begun. A package that is not built yet counts as many tests as the others have on average.
func (s *session) share(now time.Time) time.Duration {
	left := max(s.For-now.Sub(s.first), 0)
	waiting := s.expected() - s.opened + 1
	return min(left, left*time.Duration(max(s.Procs, 1))/time.Duration(waiting))
}

// expected returns the number of tests, if packages that are not built yet have as many as the others on average.
func (s *session) expected() int {
	n := len(s.tests)
	if built := s.packages - s.pending; built > 0 {
		n += n * s.pending / built
	}
	return n
}

// By default a run takes some time for all tests and some more for each, up to the most. It is counted as slots work for
// tests, so that the time in which packages are built is not part of it. Many tests need hardly any of it, so one may
// take several equal shares of what is left.
const (
	timeForAll  = 10 * time.Second
	timeForEach = 250 * time.Millisecond
	mostTime    = 3 * time.Minute
	equalShares = 4
)

// unused returns how much of the time of the slots is left, by default.
func (s *session) unused() time.Duration {
	all := min(cmp.Or(s.forAll, timeForAll)+timeForEach*time.Duration(s.expected()), mostTime)
	return max(all*time.Duration(max(s.Procs, 1))-s.busy, 0)
}

// charge charges a test with the time of a slot. What is longer than its allowance, because an execution is, is not taken
// from the others.
func (s *session) charge(t *test, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	took = min(took, t.allowance)
	t.allowance -= took
	s.busy += took
}

// allowance returns the time for the next test, by default.
func (s *session) allowance() time.Duration {
	unused, waiting := s.unused(), s.expected()-s.opened // not begun, besides this one
	return max(min(unused/time.Duration(max(s.Procs, 1)), unused*equalShares/time.Duration(equalShares+waiting)), timeForEach)
}

func (s *session) allDone() bool {
	for _, t := range s.tests[s.reported:] {
		if t.stage != done {
			return false
		}
	}
	return true
}

// end ends the worker of the slot, if it has one, and notes how TestMain ended.
func (sl *slot) end() {
	w := sl.worker
	if sl.worker = nil; w == nil {
		return
	}
	code := w.close()
	if code == 0 {
		return
	}
	sl.mu.Lock()
	defer sl.mu.Unlock()
	if p := sl.of.pkg.ImportPath; sl.ends[p] == nil {
		sl.ends[p] = &ending{code, lastLines(w.output.String(), endLines)}
	}
}

// An ending is the end of a worker whose TestMain found a problem after the tests had passed.
type ending struct {
	code   int
	output string
}

// endLines is how many lines of the worker's output an ending has.
const endLines = 20

func lastLines(text string, most int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(len(lines)-most, 0):], "\n")
}

// reportEnds reports the packages that have an ending, in their order.
func (s *session) reportEnds(packages []*listed) {
	for _, p := range packages {
		e := s.ends[p.ImportPath]
		if e == nil {
			continue
		}
		what := &report.PackageReport{
			Package: p.ImportPath, Notes: []string{fmt.Sprintf("TestMain ended with exit code %d after the tests", e.code)},
			Ended: true, Output: e.output,
		}
		s.tests = append(s.tests, &test{stage: done, what: what})
	}
}

// use returns a worker for the test: the one of the slot if it fits, or a new one, always a new one if fresh.
func (sl *slot) use(ctx context.Context, t *test, fresh bool) (*worker, error) {
	if w := sl.worker; w != nil && (fresh || w.spent || sl.of != t) {
		sl.end()
	}
	sl.of = t
	if sl.worker == nil {
		w, err := t.program.start(ctx, &sl.Options)
		var disturbed *disturbance
		if errors.As(err, &disturbed) {
			err = &refusal{title: t.result.Title(), reason: disturbed.what}
		}
		if err != nil {
			return nil, cmp.Or(context.Cause(ctx), err)
		}
		sl.worker = w
	}
	return sl.worker, nil
}

// ask sends a request to the worker of the slot. It returns a death if the worker died in an execution, and a *refusal
// if it died outside of one. Errors other than a *refusal and errEnough end the session.
func (sl *slot) ask(ctx context.Context, t *test, fresh bool, r wire.Request, progressed func(wire.Answer), enough <-chan struct{}) (wire.Answer, *death, error) {
	w, err := sl.use(ctx, t, fresh)
	if err != nil {
		return wire.Answer{}, nil, err
	}
	w.choose = sl.choose
	by := cmp.Or(r.Settings.Strategy, sl.Settings.Strategy)
	r.Test, r.Settings, r.Few = t.name, sl.Settings, sl.few && r.Alone == nil
	r.Settings.Strategy = by
	r.Settings.Leaks = r.Settings.Leaks && !slices.Contains(sl.MayLeak, t.name)
	a, err := w.ask(ctx, r, progressed, enough)
	var d *death
	var disturbed *disturbance
	switch {
	case errors.As(err, &d) && d.number < 0 && d.after >= 0 && t.program.setup.Native: // goroutines that it left behind ended it
		d.number = d.after
		return a, d, nil
	case errors.As(err, &d) && d.number < 0:
		return a, nil, &refusal{title: t.result.Title(), reason: d.outside(&sl.Options), death: d}
	case errors.As(err, &d):
		return a, d, nil
	case errors.As(err, &disturbed):
		return a, nil, &refusal{title: t.result.Title(), reason: disturbed.what}
	case err == nil && a.Kind == wire.Refused:
		return a, nil, &refusal{title: t.result.Title(), reason: "a worker: " + a.Reason, answered: true}
	}
	return a, nil, err
}

// A refusal is the error of a request that cannot be served because of the test or its package.
type refusal struct {
	title, reason string
	answered      bool   // the worker has answered that it cannot serve this request
	death         *death // of the worker, outside of an execution; nil if it did not die
}

func (r *refusal) Error() string { return r.title + ": " + r.reason }
