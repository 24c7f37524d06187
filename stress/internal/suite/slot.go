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
	test   *test // that it has begun
	worker *worker
	of     *test                     // whose worker it is
	choose func(question []byte) int // see worker
}

// slot takes what there is to do until nothing is left. Workers end with the thread that has started
// them.
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
		if s.For > 0 {
			t.until = t.began.Add(s.share(t.began))
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
	return sl.trying(t, func(ctx context.Context) error { return sl.explore(ctx, t, b) })
}

// trying is something to do for a test. If a worker cannot do it, for a reason that is the test's or its package's, the
// test is broken, and the others go on.
func (sl *slot) trying(t *test, do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		err := do(ctx)
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

// end ends the worker of the slot, if it has one, and notes how TestMain has ended.
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

// An ending is the end of a worker whose TestMain has found something after the tests, which have passed.
type ending struct {
	code   int
	output string
}

// endLines is how many lines of its output are reported.
const endLines = 20

func lastLines(text string, most int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(len(lines)-most, 0):], "\n")
}

// reportEnds reports the packages with such an end, in their order.
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

// use makes the worker of the slot one of the test; another one if fresh.
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

// ask asks the worker of the slot. A death is returned as such, another error ends the session.
func (sl *slot) ask(ctx context.Context, t *test, fresh bool, r wire.Request, progressed func(wire.Answer), enough <-chan struct{}) (wire.Answer, *death, error) {
	w, err := sl.use(ctx, t, fresh)
	if err != nil {
		return wire.Answer{}, nil, err
	}
	w.choose = sl.choose
	r.Test, r.Settings = t.name, sl.Settings
	r.Settings.Leaks = r.Settings.Leaks && !slices.Contains(sl.MayLeak, t.name)
	a, err := w.ask(ctx, r, progressed, enough)
	var d *death
	var disturbed *disturbance
	switch {
	case errors.As(err, &d) && d.number < 0 && d.after >= 0 && t.program.setup.Native: // what goroutines do that it has left
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

// A refusal is the error of a request that cannot be served, for a reason that is the test's or its package's.
type refusal struct {
	title, reason string
	answered      bool   // by the worker: it could not serve this request
	death         *death // of the worker, outside of an execution; nil if it has not ended
}

func (r *refusal) Error() string { return r.title + ": " + r.reason }
